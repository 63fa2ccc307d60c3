import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { neverRespond } from "@/testing/api";
import { aShare } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { otherRules } from "./rows/formRules";
import { aFile, logIn } from "./testing/accountSteps";
import { importPdf, openAssistant, typeMessage } from "./testing/ideaSteps";
import {
  agreementText,
  atAgreement,
  atDocument,
  giveDetails,
  layOut,
  openDocument,
  openShare,
  scrollTo,
  search,
} from "./testing/sharingSteps";
import { expectToast, fill, press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";
import { record } from "./testing/wire";

beforeEach(() => {
  serve();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const button = (name: string) => screen.getByRole("button", { name });
const sized = (size: number) =>
  Object.defineProperty(aFile("Plan.pdf", "application/pdf"), "size", { value: size });

const table: Record<(typeof otherRules)[number], () => Promise<void>> = {
  "Collect form: phone optional": async () => {
    const sent = record("POST /api/recipients", [503]);
    await giveDetails("");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ phone: null });
  },
  "Comment: blank or whitespace-only content cannot be sent (Send disabled)": async () => {
    atDocument();
    await openDocument();
    expect(button("Send")).toBeDisabled();
    await fill({ "Add a comment": " \n " });
    expect(button("Send")).toBeDisabled();
    await fill({ "Add a comment": "x" });
    expect(button("Send")).toBeEnabled();
  },
  "AI search: empty query refused": async () => {
    const sent = record("POST /api/ai-search", [503]);
    await search("  ");
    await expectToast({
      title: "Please enter an idea",
      description: "Describe your idea to search for similar concepts.",
      variant: "destructive",
    });
    expect(sent).toHaveLength(0);
  },
  "Share form: shareType is one of the four values": async () => {
    await openShare();
    const choices = within(screen.getByRole("group", { name: "Share type" }));
    expect(
      choices.getAllByRole("radio").map((radio) => [radio.ariaLabel, radio.getAttribute("value")]),
    ).toEqual([
      ["One-time view", "one-time"],
      ["Time-dependent (expires after a period)", "time-dependent"],
      ["Full access (unlimited views)", "full-access"],
      ["Share by Email (Full Access)", "email"],
    ]);
  },
  "AI assistant: blank messages are ignored; send disabled while waiting or blank": async () => {
    const sent = neverRespond("post", "/api/ai-writing-assistant");
    const app = await openAssistant();
    const input = screen.getByLabelText("Your message");
    expect(button("Send")).toBeDisabled();
    await fill({ "Your message": "  " });
    expect(button("Send")).toBeDisabled();
    fireEvent.keyDown(input, { key: "Enter" });
    expect(sent).toHaveLength(0);
    await typeMessage(app, "A kettle");
    await fill({ "Your message": "And another" });
    expect(button("Send")).toBeDisabled();
    fireEvent.keyDown(input, { key: "Enter" });
    await waitFor(() => expect(sent).toHaveLength(1));
  },
  "NDA agree: enabled only after scrolling to the end": async () => {
    layOut(1000);
    atAgreement();
    renderRoute("/nda/tok");
    const region = await agreementText();
    expect(button("Please read the full agreement")).toBeDisabled();
    scrollTo(region, 700);
    expect(await screen.findByRole("button", { name: "I Agree" })).toBeEnabled();
  },
  "PDF upload: the type must be application/pdf": async () => {
    const sent = record("POST /api/ideas/pdf", [503]);
    await importPdf(aFile("Plan.pdf", "text/plain"));
    await expectToast({
      title: "Invalid File Type",
      description: "Only PDF files are supported at this time",
      variant: "destructive",
    });
    expect(sent).toHaveLength(0);
  },
  "PDF upload: the size must be at most 10 MB": async () => {
    const sent = record("POST /api/ideas/pdf", [503]);
    const { user } = await importPdf(sized(10_485_761));
    await expectToast({
      title: "File Too Large",
      description: "PDF files must be less than 10MB",
      variant: "destructive",
    });
    expect(sent).toHaveLength(0);
    await user.upload(screen.getByLabelText("PDF file"), sized(10_485_760));
    await waitFor(() => expect(sent).toHaveLength(1));
  },
  "PDF upload: only the first file is used": async () => {
    const sent = record("POST /api/ideas/pdf", [503]);
    renderRoute("/dashboard");
    const area = await screen.findByRole("region", { name: "File an idea" });
    const files = ["First", "Second"].map((name) => aFile(`${name}.pdf`, "application/pdf"));
    fireEvent.drop(area, { dataTransfer: { files } });
    await expectToast({
      title: "Error",
      description: "Failed to upload PDF",
      variant: "destructive",
    });
    expect(sent.map(({ body }) => body)).toMatchObject([{ title: "First" }]);
  },
  "Delete a draft: asks for confirmation": async () => {
    const sent = record("DELETE /api/ideas/{id}", [204]);
    const app = renderRoute("/dashboard");
    await press(app, "Delete Self-watering planter");
    expect(await screen.findByRole("alertdialog")).toHaveAccessibleDescription(
      'Are you sure you want to delete "Self-watering planter"? This action cannot be undone.',
    );
    await press(app, "Cancel");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(sent).toHaveLength(0);
  },
  "Login payload: the email is lowercased and trimmed": async () => {
    const sent = record("POST /api/auth/login", [401]);
    await logIn();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ email: "ada@example.org" });
  },
  "Share submission payload: what a type does not use is null": async () => {
    const sent = record("POST /api/shares", [201, aShare()]);
    const app = await openShare();
    const nothing = { expiresAt: null, maxViews: null, recipientEmail: null };
    const expiresAt = new Date("2099-01-02T03:04").toISOString();
    // Ordered so that each type starts with the input of the previous one.
    const types = [
      ["One-time view", { "Maximum Views": "4" }, { maxViews: 4 }],
      [
        "Time-dependent (expires after a period)",
        { "Expiration Date": "2099-01-02T03:04", "Maximum Views": "5" },
        { expiresAt, maxViews: 5 },
      ],
      [
        "Share by Email (Full Access)",
        { "Recipient Email": "rosa@example.com" },
        { recipientEmail: "rosa@example.com" },
      ],
      ["Full access (unlimited views)", {}, {}],
    ] as const;
    for (const [type, fields] of types) {
      await app.user.click(screen.getByRole("radio", { name: type }));
      await fill(fields);
    }
    for (const [index, [type, fields, used]] of types.entries()) {
      await app.user.click(screen.getByRole("radio", { name: type }));
      await fill(fields);
      await press(app, /^(Generate Share Link|Send Email Invitation)$/);
      await waitFor(() => expect(sent).toHaveLength(index + 1));
      expect(sent[index]?.body).toMatchObject({ ...nothing, ...used });
      await waitFor(() =>
        expect(screen.queryByRole("button", { busy: true })).not.toBeInTheDocument(),
      );
    }
  },
  "Upload title: the file name without '.pdf'": async () => {
    const sent = record("POST /api/ideas/pdf", [503]);
    await importPdf(aFile("Plan.v2.pdf", "application/pdf"));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ title: "Plan.v2" });
  },
};

eachRow("form rules", otherRules, table, (check) => check());

test("form rules, Forgot password: the field is also marked required", async () => {
  renderRoute("/forgot-password");
  expect(await screen.findByLabelText("Email")).toBeRequired();
});

test("form rules, Share form: expiresAt and maxViews are optional", async () => {
  const sent = record("POST /api/shares", [201, aShare()]);
  const app = await openShare();
  await app.user.click(screen.getByRole("radio", { name: /^Time-dependent/ }));
  await press(app, "Generate Share Link");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ expiresAt: null, maxViews: null });
});
