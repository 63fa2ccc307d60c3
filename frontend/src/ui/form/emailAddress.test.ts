import { expect, test } from "vitest";
import { emailAddress } from "./emailAddress";

const MESSAGE = "Please enter a valid email address";

const problemOf = (address: string) =>
  emailAddress(MESSAGE)
    .validate(address, { abortEarly: false })
    .then(
      () => null,
      ({ errors }: { errors: string[] }) => errors[0],
    );

test.each([
  "rita@example.org",
  " Rita+nda@Example.COM ",
  "rita@münchen.example",
  "rita@例え.テスト",
  "rita@例え。テスト",
])("%s is an address", async (address) => {
  expect(await problemOf(address)).toBeNull();
});

test.each(["", "rita", "rita@", "@example.org", "rita@mün chen.example", "rita@münchen.example/x"])(
  "%o is no address",
  async (address) => {
    expect(await problemOf(address)).toBe(MESSAGE);
  },
);

test.each(["josé@example.org", "josé@münchen.example", "例@example.org"])(
  "%s has letters before the @ that mail servers refuse",
  async (address) => {
    expect(await problemOf(address)).toMatch(/before the @/);
  },
);
