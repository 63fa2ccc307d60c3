import {
  createLexicalComposerContext,
  LexicalComposerContext,
} from "@lexical/react/LexicalComposerContext";
import { render } from "@testing-library/react";
import type { LexicalCommand } from "lexical";
import { type ReactNode, useLayoutEffect } from "react";
import { Provider } from "react-redux";
import { expect, it } from "vitest";
import { createAppRuntime } from "@/store/store";
import { ImageUploads } from "./components/ImageUploads";
import { LinkPrompt } from "./components/LinkPrompt";
import { PasteLosses } from "./components/PasteLosses";
import { VideoPrompt } from "./components/VideoPrompt";
import { REQUEST_VIDEO_COMMAND, UPLOAD_IMAGES_COMMAND } from "./extensions/media";
import { LOSSY_PASTE_COMMAND } from "./extensions/paste";
import { REQUEST_LINK_COMMAND } from "./extensions/shortcuts";
import { createTestEditor } from "./extensions/testEditor";
import { startSession } from "./session/testSession";

/**
 * Renders the handler of a command; returns whether it handles the command as soon as it is
 * visible.
 */
function handlesAtOnce<T>(handler: ReactNode, command: LexicalCommand<T>, payload: T): boolean {
  const editor = createTestEditor("<p>x</p>");
  let handled = false;
  // Runs after the layout effects of the children, and before any passive effect.
  function Screen() {
    useLayoutEffect(() => {
      handled = editor.dispatchCommand(command, payload);
    }, []);
    return handler;
  }
  render(
    <Provider store={createAppRuntime().store}>
      <LexicalComposerContext value={[editor, createLexicalComposerContext(null, null)]}>
        <Screen />
      </LexicalComposerContext>
    </Provider>,
  );
  return handled;
}

it("handles a paste, the link and the video dialog as soon as it is mounted", () => {
  const losses = { pictures: 1, objects: 0, tables: 0, formatting: [], isIntoCode: false };
  const paste = { losses, insert: () => undefined };
  expect(handlesAtOnce(<PasteLosses />, LOSSY_PASTE_COMMAND, paste)).toBe(true);
  expect(handlesAtOnce(<LinkPrompt />, REQUEST_LINK_COMMAND, undefined)).toBe(true);
  expect(handlesAtOnce(<VideoPrompt />, REQUEST_VIDEO_COMMAND, undefined)).toBe(true);
});

it("accepts images as soon as it is mounted", () => {
  const { session } = startSession();
  const uploads = <ImageUploads session={session} view={session.getView()} />;
  expect(handlesAtOnce(uploads, UPLOAD_IMAGES_COMMAND, [])).toBe(true);
});
