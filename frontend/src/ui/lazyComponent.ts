import { type ComponentType, lazy, type ReactNode } from "react";

type PropsOf<Component> = Component extends (props: infer Props) => ReactNode ? Props : never;

/**
 * Creates the component that a module exports under a name. The module is loaded when the component
 * is first rendered, or earlier by `load`, which `useIdleLoad` calls while the page is idle.
 */
export const lazyComponent = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  Object.assign(
    lazy(async () => ({ default: (await load())[name] as ComponentType<PropsOf<Module[Name]>> })),
    { load },
  );
