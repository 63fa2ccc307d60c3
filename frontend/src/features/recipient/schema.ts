import { object, string } from "yup";
import { emailAddress } from "@/ui/form/emailAddress";

const NAME = "Name must be at least 3 characters";
const EMAIL = "Please enter a valid email address";

/** Recipient details (docs/rules.md#recipient-fields). */
export const collectSchema = object({
  name: string()
    .trim()
    .required(NAME)
    .test("letters", NAME, (name) => letters(name) >= 3),
  email: emailAddress(EMAIL),
  phone: string(),
});

/** One Han, Kana or Hangul character is a syllable or a word, and counts as two letters. */
function letters(name: string): number {
  const characters = [...name.normalize("NFC")];
  const isWhole = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
  return characters.reduce((sum, character) => sum + (isWhole.test(character) ? 2 : 1), 0);
}
