import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { renderRoute } from "@/testing/render";
import { constants } from "./rows/constants";
import { aFile } from "./testing/accountSteps";
import { importPdf } from "./testing/ideaSteps";
import { openShare } from "./testing/sharingSteps";
import { expectToast, fill, press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";

/** Expects a field to refuse one text on blur and to accept another. */
async function refusesUpTo(label: string, tooShort: string, enough: string): Promise<void> {
  const input = await screen.findByLabelText(label);
  await fill({ [label]: tooShort });
  fireEvent.blur(input);
  await waitFor(() => expect(input).toHaveAttribute("aria-invalid", "true"));
  await fill({ [label]: enough });
  await waitFor(() => expect(input).not.toHaveAttribute("aria-invalid", "true"));
}

const table: Record<(typeof constants.forms)[number], () => Promise<void>> = {
  "Minimum password length (login, register, new password): 6": async () => {
    const app = renderRoute("/login");
    const { router } = app;
    await refusesUpTo("Password", "12345", "123456");
    await router.navigate("/register");
    await screen.findByLabelText("Full Name");
    await refusesUpTo("Password", "12345", "123456");
    await router.navigate("/profile");
    await press(app, "Change Password");
    await refusesUpTo("New Password", "12345", "123456");
  },
  "Minimum name length: register and profile: 2": async () => {
    const { router } = renderRoute("/register");
    await refusesUpTo("Full Name", "A", "Ad");
    await router.navigate("/profile");
    await refusesUpTo("Name", "A", "Ad");
  },
  "Minimum name length: recipient collect form: 3": async () => {
    renderRoute("/collect/tok");
    await refusesUpTo("Full name", "Ad", "Ada");
  },
  "Maximum PDF upload size: 10 MB; only application/pdf": async () => {
    const file = aFile("Plan.pdf", "application/pdf");
    Object.defineProperty(file, "size", { value: 10 * 1024 * 1024 + 1 });
    await importPdf(file);
    await expectToast({
      title: "File Too Large",
      description: "PDF files must be less than 10MB",
      variant: "destructive",
    });
    expect(screen.getByLabelText("PDF file")).toHaveAttribute("accept", "application/pdf");
  },
  "Share types: one-time, time-dependent, full-access, email": async () => {
    await openShare();
    const choices = [...document.querySelectorAll("input[type=radio][name=shareType]")];
    expect(choices.map((choice) => choice.getAttribute("value"))).toEqual([
      "one-time",
      "time-dependent",
      "full-access",
      "email",
    ]);
  },
};

eachRow("constants", constants.forms, table, async (check) => {
  serve();
  await check();
});
