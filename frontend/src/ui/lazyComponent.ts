import { type ComponentType, lazy, type ReactNode } from "react";

type PropsOf<Component> = Component extends (props: infer Props) => ReactNode ? Props : never;

/**
 * Creates the component that a module exports under a name. The module is loaded when the component
 * is first rendered, or earlier by `load`, which `useIdleLoad` calls while the page is idle. Without
 * a connection the component waits for one: a failure would take down the page around it, and with
 * it what somebody is writing.
 */
export const lazyComponent = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  Object.assign(
    lazy(async () => {
      const module = await loadOnline(load);
      return { default: module[name] as ComponentType<PropsOf<Module[Name]>> };
    }),
    { load },
  );

/** Fails only if loading fails while the browser is online. */
async function loadOnline<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) throw error;
  }
  await new Promise((resolve) => window.addEventListener("online", resolve, { once: true }));
  return loadOnline(load);
}
