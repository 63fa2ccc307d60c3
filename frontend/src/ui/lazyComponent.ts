import { type ComponentType, createElement, lazy, type ReactNode, useState } from "react";

type PropsOf<Component> = Component extends (props: infer Props extends object) => ReactNode
  ? Props
  : never;

/**
 * Creates the component that a module exports under a name. The module is loaded when the component
 * is first rendered, or earlier by `load`, which `useIdleLoad` calls while the page is idle. Once it
 * is loaded, the component renders at once: React leaves a fallback that it has shown in place for
 * 300 ms. Without a connection the component waits for one: a failure would take down the page
 * around it, and with it what somebody is writing.
 */
export function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>;
  let loaded: ComponentType<Props> | undefined;
  const loadAndKeep = async () => {
    const module = await load();
    loaded = module[name] as ComponentType<Props>;
    return loaded;
  };
  const Suspending = lazy(async () => ({ default: await loadOnline(loadAndKeep) }));

  function LazyComponent(props: Props) {
    // Not exchanged while mounted, which would discard its state.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Suspending);
    return createElement(Component, props);
  }
  return Object.assign(LazyComponent, { load: loadAndKeep });
}

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
