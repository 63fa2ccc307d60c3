import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { respondWith } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { failures, otherFailures, successes } from "./rows/messages";
import {
  askAssistant,
  createIdea,
  deleteIdea,
  importPdf,
  openAssistant,
  publishIdea,
  saveIdea,
  uploadImage,
} from "./testing/ideaSteps";
import { press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";
import { expectFailureToast, expectSuccessToast, type Situation } from "./testing/toasts";
import { type Reply, record } from "./testing/wire";

const refused: Reply = [503];
const assistant = "POST /api/ai-writing-assistant";
const answered: Reply = [200, { response: "Tell me more." }];
const uploadFailed = async () => void (await screen.findByText("Upload Failed"));

/** Opens a chat with one response and copies it. */
async function copyAll() {
  const app = await askAssistant();
  await screen.findByText("Tell me more.");
  await press(app, "Copy All");
  return app;
}

const failing: Record<keyof typeof failures.ideas, Situation> = {
  "Delete idea failure": { call: "DELETE /api/ideas/{id}", reply: refused, make: deleteIdea },
  "PDF upload failure: the thrown message": {
    call: "POST /api/ideas/pdf",
    reply: [422, { message: "This PDF is encrypted." }],
    make: () => importPdf(),
    also: uploadFailed,
  },
  "PDF upload failure": {
    call: "POST /api/ideas/pdf",
    reply: refused,
    make: () => importPdf(),
    also: uploadFailed,
  },
  "PDF upload failure, no answer": {
    call: "POST /api/ideas/pdf",
    reply: "no answer",
    make: () => importPdf(),
    also: uploadFailed,
  },
  "Create idea failure": { call: "POST /api/ideas", reply: refused, make: createIdea },
  "Update idea failure": { call: "PUT /api/ideas/{id}", reply: refused, make: saveIdea },
  "Publish failure": { call: "PUT /api/ideas/{id}/publish", reply: refused, make: publishIdea },
  "AI writing assistant failure: the server message": {
    call: assistant,
    reply: [503, { message: "No language model is set up." }],
    make: askAssistant,
  },
  "AI writing assistant failure": { call: assistant, reply: "no answer", make: askAssistant },
  "Copy-all, nothing": {
    make: async () => {
      const app = await openAssistant();
      await press(app, "Copy All");
      return app;
    },
  },
  "Copy-all, refused": {
    call: assistant,
    reply: answered,
    make: async () => {
      const app = await askAssistant();
      await screen.findByText("Tell me more.");
      vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
      await press(app, "Copy All");
      return app;
    },
  },
};

eachRow(
  "failure messages",
  Object.keys(failures.ideas) as (keyof typeof failures.ideas)[],
  failing,
  expectFailureToast(failures.ideas),
);

const succeeding: Record<keyof typeof successes.ideas, Situation> = {
  Delete: { call: "DELETE /api/ideas/{id}", reply: [204], make: deleteIdea },
  "Idea created": { call: "POST /api/ideas", reply: [201, anIdea({ id: 12 })], make: createIdea },
  "Idea updated": { call: "PUT /api/ideas/{id}", reply: [200, anIdea()], make: saveIdea },
  Publish: {
    call: "PUT /api/ideas/{id}/publish",
    reply: [200, anIdea({ status: "published" })],
    make: publishIdea,
  },
  "Copy-all": { call: assistant, reply: answered, make: copyAll },
};

eachRow(
  "success messages",
  Object.keys(successes.ideas) as (keyof typeof successes.ideas)[],
  succeeding,
  expectSuccessToast(successes.ideas),
);

test.each([
  ["Editor image upload failure, refused", [400]],
  ["Editor image upload failure, no answer", "no answer"],
] as const)("messages, %s, is shown in a dialog", async (name, reply) => {
  serve();
  respondWith("get", "/api/assets", 200, []);
  record("POST /api/upload/image", reply);
  await uploadImage();
  const alert = await screen.findByRole("dialog", { name: "Add image" });
  expect(alert).toHaveAccessibleDescription(otherFailures[name]);
});
