import { type App, expectToast, serve } from "./steps";
import { type Reply, record } from "./wire";

/** Setup of one situation with a message. */
export interface Situation {
  /** Changes the server before the page opens. */
  readonly given?: () => void;
  /** Method and path of the call that decides it, and the response. */
  readonly call?: string;
  readonly reply?: Reply;
  /** User actions. */
  readonly make: () => Promise<App>;
  /** Further checks besides the toast. */
  readonly also?: (app: App) => Promise<void> | void;
}

type Words = string | readonly [title: string, text?: string | RegExp];

async function arrange({ given, call, reply, make }: Situation): Promise<App> {
  serve();
  given?.();
  if (call && reply) record(call, reply);
  return make();
}

/** Expects the failure toast of a row: titled 'Error' unless the row has a title. */
export const expectFailureToast =
  (words: Readonly<Record<string, Words>>) => async (situation: Situation, name: string) => {
    const app = await arrange(situation);
    const text = words[name] ?? "";
    const [title, description] = typeof text === "string" ? ["Error", text] : text;
    await expectToast({ title, description, variant: "destructive" });
    await situation.also?.(app);
  };

/** Expects the success toast of a row. */
export const expectSuccessToast =
  (words: Readonly<Record<string, Words>>) => async (situation: Situation, name: string) => {
    const app = await arrange(situation);
    const text = words[name] ?? "";
    await expectToast(
      typeof text === "string"
        ? { anywhere: text, variant: "default" }
        : { title: text[0], description: text[1], variant: "default" },
    );
    await situation.also?.(app);
  };
