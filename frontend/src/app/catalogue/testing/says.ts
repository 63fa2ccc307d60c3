import { type App, findToast, serve } from "./steps";
import { type Reply, record } from "./wire";

/** What brings one situation of section 8 about. */
export interface Situation {
  /** Changes the server before the page opens. */
  readonly given?: () => void;
  /** The call that decides it, named as in section 7, and the answer. */
  readonly call?: string;
  readonly reply?: Reply;
  /** What somebody does. */
  readonly make: () => Promise<App>;
  /** What is to be seen besides the toast. */
  readonly also?: (app: App) => Promise<void> | void;
}

type Words = string | readonly [title: string, text: string | RegExp];

async function bringAbout({ given, call, reply, make }: Situation): Promise<App> {
  serve();
  given?.();
  if (call && reply) record(call, reply);
  return make();
}

/** Checks that a failure is said as the specification words it: as 'Error' unless it has a title. */
export const saysFailure =
  (words: Readonly<Record<string, Words>>) => async (situation: Situation, name: string) => {
    const app = await bringAbout(situation);
    const text = words[name] ?? "";
    const [title, description] = typeof text === "string" ? ["Error", text] : text;
    await findToast({ title, description, variant: "destructive" });
    await situation.also?.(app);
  };

/** Checks that a success is said as the specification words it. */
export const saysSuccess =
  (words: Readonly<Record<string, Words>>) => async (situation: Situation, name: string) => {
    const app = await bringAbout(situation);
    const text = words[name] ?? "";
    await findToast(
      typeof text === "string"
        ? { anywhere: text, variant: "default" }
        : { title: text[0], description: text[1], variant: "default" },
    );
    await situation.also?.(app);
  };
