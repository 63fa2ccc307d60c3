import type { Browser } from "playwright-core";
import { connect, newPerson, type Person, type PersonOptions } from "./browser";
import { type Server, type ServerOptions, startServer } from "./server";

/** Environment of a spec: a server of its own, the shared browser, and its users. */
export interface TestEnvironment {
  readonly server: Server;
  /** See `newPerson`; `name` is unique among all specs, for the last screenshot. */
  person(name: string, expected?: RegExp[], options?: PersonOptions): Promise<Person>;
  /** Returns and clears the console errors, page errors and foreign requests of all people. */
  complaints(): string[];
  /** Closes all contexts and stops the server. */
  stop(): Promise<void>;
}

/** Starts the environment; `name` is the name of the server's log. */
export async function startEnvironment(
  name: string,
  options: ServerOptions = {},
): Promise<TestEnvironment> {
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
    async stop() {
      await Promise.all(people.map((person) => person.leave()));
      await browser.close();
      await server.stop();
    },
  };
}
