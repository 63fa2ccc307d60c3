import "./react";
import "@/ui/styles/index.css";
import { recipient, signedIn } from "virtual:pages";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "react-redux";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createAppRuntime } from "@/store/store";
import { applyPageNonce } from "@/ui/nonce";
import { dropEarlyAnswers } from "./earlyAnswers";
import { evaluateApi } from "./evaluateApi";
import { firstScreenReady, previewReady } from "./firstScreen";
import { keepTranslatable } from "./keepTranslatable";
import { nextTask } from "./nextTask";
import { createRoutes } from "./router";

const place = document.getElementById("root");

/** Starts the application, in several short tasks. */
async function start(place: HTMLElement): Promise<void> {
  await nextTask();
  applyPageNonce();
  keepTranslatable();
  const runtime = createAppRuntime();
  // Before the router loads the page.
  if (matchRoutes([...recipient, ...signedIn], window.location)) await evaluateApi();
  const router = createBrowserRouter(createRoutes(runtime));
  dropEarlyAnswers(router);
  await nextTask();
  const root = createRoot(place);
  await firstScreenReady(router);
  // Whatever goes wrong there, the page itself tells.
  await previewReady(router, runtime).catch(() => undefined);
  await nextTask();
  // A transition is rendered in short tasks, between which the browser can react.
  startTransition(() => {
    root.render(
      <StrictMode>
        <Provider store={runtime.store}>
          <RouterProvider router={router} />
        </Provider>
      </StrictMode>,
    );
  });
}

// Not awaited: the chunks that it waits for import the chunk of this module.
if (place) void start(place);
