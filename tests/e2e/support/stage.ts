import type { Browser } from "playwright-core";
import { connect, newPerson, type Person, type PersonOptions } from "./browser";
import { type Server, type ServerOptions, startServer } from "./server";

/** What a spec plays on: a server of its own, the shared browser, and the people in it. */
export interface Stage {
  readonly server: Server;
  /** See `newPerson`; `name` is unique among all specs, for the last picture. */
  person(name: string, expected?: RegExp[], options?: PersonOptions): Promise<Person>;
  /** What consoles, pages and networks of all people complained of since the last call. */
  complaints(): string[];
  /** Everybody leaves and the server stops. */
  clear(): Promise<void>;
}

/** Sets the stage; `name` names the server's log. */
export async function setStage(name: string, options: ServerOptions = {}): Promise<Stage> {
  const server = await startServer(name, options);
  const browser: Browser = await connect();
  const people: Person[] = [];
  return {
    server,
    async person(called, expected, options) {
      const person = await newPerson(browser, called, server.url, expected, options);
      people.push(person);
      return person;
    },
    complaints: () => people.flatMap(({ complaints }) => complaints.splice(0)),
    async clear() {
      await Promise.all(people.map((person) => person.leave()));
      await browser.close();
      await server.stop();
    },
  };
}
