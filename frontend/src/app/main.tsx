import "@/ui/styles/index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "react-redux";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createAppRuntime } from "@/store/store";
import { applyPageNonce } from "@/ui/nonce";
import { dropEarlyAnswers } from "./earlyAnswers";
import { firstScreenReady, previewReady } from "./firstScreen";
import { createRoutes } from "./router";

applyPageNonce();

const runtime = createAppRuntime();
const router = createBrowserRouter(createRoutes(runtime));
dropEarlyAnswers(router);
const root = document.getElementById("root");

if (root) {
  const start = async () => {
    await firstScreenReady(router);
    // Whatever goes wrong there, the page itself tells.
    await previewReady(router, runtime).catch(() => undefined);
    createRoot(root).render(
      <StrictMode>
        <Provider store={runtime.store}>
          <RouterProvider router={router} />
        </Provider>
      </StrictMode>,
    );
  };
  // Not awaited: the chunks that it waits for import this module.
  void start();
}
