import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { $selectAll } from "lexical";
import { findEditor } from "@/features/editor/testPage";
import { renderRoute } from "@/testing/render";
import { aFile } from "./accountSteps";
import { type App, fill, press } from "./steps";

async function openEditor(id: number | "new") {
  const app = renderRoute(`/editor/${id}`);
  return { app, editor: await findEditor() };
}

/** Opens the draft's editor. */
export const openDraft = async (): Promise<App> => (await openEditor(7)).app;

export async function createIdea(): Promise<App> {
  const { app } = await openEditor("new");
  await fill({ Title: " Boat " });
  await press(app, "Create Idea");
  return app;
}

export async function saveIdea(): Promise<App> {
  const { app } = await openEditor(7);
  await fill({ Title: "Planter" });
  await press(app, "Save Changes");
  return app;
}

export async function publishIdea(): Promise<App> {
  const { app } = await openEditor(7);
  await press(app, "Publish");
  await press(app, "Publish idea");
  return app;
}

export async function deleteIdea(): Promise<App> {
  const app = renderRoute("/dashboard");
  await press(app, "Delete Self-watering planter");
  const question = within(await screen.findByRole("alertdialog"));
  await app.user.click(question.getByRole("button", { name: "Delete" }));
  return app;
}

/** Picks a PDF on the dashboard of a running or a new application. */
export async function importPdf(
  file = aFile("Planter.pdf", "application/pdf"),
  app = renderRoute("/dashboard"),
): Promise<App> {
  await userEvent
    .setup({ applyAccept: false })
    .upload(await screen.findByLabelText("PDF file"), file);
  return app;
}

/** Adds an image to the draft in a running or a new application. */
export async function uploadImage(app = renderRoute("/editor/7")): Promise<App> {
  await app.router.navigate("/editor/7");
  await findEditor();
  await app.user.upload(screen.getByLabelText("Image file"), aFile("boat.png", "image/png"));
  return app;
}

/** Opens the assistant's chat. */
export async function openAssistant(): Promise<App> {
  const { app } = await openEditor(7);
  await press(app, "Write with AI");
  await screen.findByRole("dialog", { name: "Write with AI Assistant" });
  return app;
}

/** Sends a message in the open chat. */
export async function typeMessage(app: App, message: string): Promise<void> {
  await fill({ "Your message": message });
  await press(app, "Send");
}

export async function askAssistant(): Promise<App> {
  const app = await openAssistant();
  await typeMessage(app, "A kettle");
  return app;
}

/** Opens the draft with all of its text selected. */
export async function openSelected() {
  const { app, editor } = await openEditor(7);
  await act(async () => editor.update(() => void $selectAll(), { discrete: true }));
  return { app, editor };
}
