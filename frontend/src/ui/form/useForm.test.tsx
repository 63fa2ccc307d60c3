import { act, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Form } from "./Form";
import { formikField } from "./formik";
import { TextField } from "./TextField";
import { useForm } from "./useForm";

type Values = { name: string; email: string };
type Errors = Partial<Values>;

const missing = ({ name, email }: Values): Errors => ({
  ...(!name && { name: "Name is missing" }),
  ...(!email && { email: "Email is missing" }),
});

function show(validate: (values: Values) => Errors | Promise<Errors>) {
  const onSubmit = vi.fn();
  function Page() {
    const form = useForm({ initialValues: { name: "", email: "" }, validate, onSubmit });
    return (
      <Form form={form}>
        <TextField label="Name" {...formikField(form, "name")} />
        <TextField label="Email" {...formikField(form, "email")} />
        <button type="submit">Send</button>
      </Form>
    );
  }
  render(<Page />);
  return { onSubmit, user: userEvent.setup() };
}

const fill = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });

test("validates fields that a browser fills in at once together", async () => {
  const { onSubmit, user } = show(async (values) => missing(values));
  await user.click(screen.getByLabelText("Name"));
  await act(async () => {
    fill("Name", "Rosa Lindt");
    fill("Email", "rosa@example.com");
    fireEvent.blur(screen.getByLabelText("Name"));
    fireEvent.blur(screen.getByLabelText("Email"));
  });
  expect(screen.queryByText(/is missing/)).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(onSubmit).toHaveBeenCalledOnce();
});

test("uses the newest validation, even if an older one ends after it", async () => {
  const ends: (() => void)[] = [];
  const { user } = show(
    (values) => new Promise((resolve) => ends.push(() => resolve(missing(values)))),
  );
  const name = screen.getByLabelText("Name");
  await act(async () => fireEvent.blur(name));
  await act(async () => fill("Name", "Rosa Lindt"));
  fill("Email", "rosa@example.com");
  await act(async () => ends.at(-1)?.());
  await act(async () => {
    for (const end of ends.slice(0, -1)) end();
  });
  expect(ends.length).toBeGreaterThan(1);
  expect(screen.queryByText(/is missing/)).not.toBeInTheDocument();
  await user.clear(name);
  await act(async () => ends.at(-1)?.());
  expect(screen.getByText("Name is missing")).toBeVisible();
});

test("shows no error while a button is pressed, but afterwards", async () => {
  const { user } = show(async (values) => missing(values));
  await user.click(screen.getByLabelText("Email"));
  const button = screen.getByRole("button", { name: "Send" });
  await user.pointer({ keys: "[MouseLeft>]", target: button });
  await act(async () => undefined);
  expect(screen.queryByText("Email is missing")).not.toBeInTheDocument();
  await user.pointer({ keys: "[/MouseLeft]", target: button });
  expect(await screen.findByText("Email is missing")).toBeVisible();
  expect(screen.getByLabelText("Name")).toHaveFocus();
});
