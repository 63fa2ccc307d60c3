/** The rules of each form, with their messages. */

const EMAIL = "Please enter a valid email address";
const PASSWORD = "Password must be at least 6 characters";
const MISMATCH = "Passwords don't match";

/** Rules of one field and their message; null where none is shown. */
export const fieldRules = {
  "Login: email valid": EMAIL,
  "Login: password at least 6 characters": PASSWORD,
  "Register: name at least 2 characters": "Name must be at least 2 characters",
  "Register: email valid": EMAIL,
  "Register: password at least 6": PASSWORD,
  "Register: confirmPassword at least 6": PASSWORD,
  "Register: password equals confirmPassword": MISMATCH,
  "Forgot password: email not empty": "Please enter your email address.",
  "Collect form: name at least 3 characters": "Name must be at least 3 characters",
  "Collect form: email valid": EMAIL,
  "Waitlist: name required": "Name is required",
  "Waitlist: email valid": "Please enter a valid email",
  "Waitlist: profession required": "Profession is required",
  "Idea title: not blank after trimming": "Please enter a title for your idea",
  "Share form: recipientEmail valid email": null,
  "Share form: maxViews number": null,
  "Profile name: at least 2 characters": "Name must be at least 2 characters",
  "Password change: current: required": "Current password is required",
  "Password change: new: at least 6 characters": "New password must be at least 6 characters",
  "Password change: confirm: required": "Please confirm your new password",
  "Password change: confirm: equals new password": MISMATCH,
} as const;

/** Rules that concern more than the text of one field. */
export const otherRules = [
  "Collect form: phone optional",
  "Comment: blank or whitespace-only content cannot be sent (Send disabled)",
  "AI search: empty query refused",
  "Share form: shareType is one of the four values",
  "AI assistant: blank messages are ignored; send disabled while waiting or blank",
  "NDA agree: enabled only after scrolling to the end",
  "PDF upload: the type must be application/pdf",
  "PDF upload: the size must be at most 10 MB",
  "PDF upload: only the first file is used",
  "Delete a draft: asks for confirmation",
  "Login payload: the email is lowercased and trimmed",
  "Share submission payload: what a type does not use is null",
  "Upload title: the file name without '.pdf'",
] as const;
