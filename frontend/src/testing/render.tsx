import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider } from "react-redux";
import { createMemoryRouter, RouterProvider } from "react-router";
import { createRoutes } from "@/app/router";
import { createAppRuntime } from "@/store/store";

/** Renders the whole application at a path, with a fresh store. */
export function renderRoute(path: string) {
  const runtime = createAppRuntime();
  const router = createMemoryRouter(createRoutes(runtime), { initialEntries: [path] });
  render(
    <Provider store={runtime.store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return {
    store: runtime.store,
    router,
    user: userEvent.setup(),
    /** Returns the current path. */
    path: () => router.state.location.pathname,
  };
}
