import { expect, test } from "vitest";
import { messages as auth } from "@/features/auth/messages";
import { messages as ideas } from "@/features/ideas/messages";
import { messages as profile } from "@/features/profile/messages";
import { messages as search } from "@/features/search/messages";
import { messages as waitlist } from "@/features/waitlist/messages";

/** Rows of spec section 8: what the catalogue says, and what the screens are given to say. */
test.each<[string, unknown, unknown]>([
  ["Login failure", auth.loginFailed, "Invalid email or password. Please try again."],
  ["Register failure", auth.registerFailed, "Registration failed. Email may already be in use."],
  [
    "Forgot password, non-ok",
    auth.resetSendFailed,
    "Failed to send reset email. Please try again.",
  ],
  ["Forgot password, network", auth.network, "Network error. Please try again."],
  ["Delete idea failure", ideas.deleteFailed, "Failed to delete idea. Please try again."],
  ["PDF upload failure", ideas.pdfFailed, "Failed to upload PDF"],
  ["PDF upload failure, no answer", ideas.pdfNoAnswer, "Could not upload PDF file"],
  ["PDF upload failure, area", ideas.pdfAreaFailed, "Upload Failed"],
  ["Profile update failure", profile.updateFailed, "Failed to update profile. Please try again."],
  ["Profile image failure", profile.imageFailed, "Failed to upload image. Please try again."],
  ["Password change failure", profile.passwordFailed, "Failed to change password"],
  ["Waitlist failure", waitlist.failed, "Something went wrong. Please try again."],
  ["AI search failure, toast", search.errorTitle, "Search Error"],
  ["AI search failure", search.searchFailed, "Search failed"],
  ["AI search failure, no answer", search.noAnswer, "Something went wrong"],
  ["Success: Login", auth.loggedIn, "You have been logged in successfully!"],
  ["Success: Register", auth.registered, "Account created successfully! Please log in."],
  [
    "Success: Forgot password",
    auth.resetSent,
    "Password reset instructions have been sent to your email.",
  ],
  ["Success: Logout (dashboard)", ideas.loggedOut, "You have been successfully logged out."],
  ["Success: Logout (profile)", profile.loggedOut, "You have been logged out successfully."],
  ["Success: Delete", ideas.deleted, "Idea deleted successfully!"],
  ["Success: Profile", profile.updated, "Profile updated"],
  ["Success: Image", profile.imageUploaded, "Image uploaded"],
  ["Success: Password", profile.passwordChanged, "Password changed"],
  [
    "Success: Waitlist",
    waitlist.joined,
    {
      title: "Success!",
      description: "Thank you for joining our waitlist. We'll be in touch soon!",
    },
  ],
  ["Section 4, PDF upload", ideas.pdfUploading, "Uploading PDF..."],
  ["Section 4, PDF upload, waiting", ideas.pdfWait, "Please wait while we process your file"],
  ["Section 4, PDF upload, done", ideas.pdfDone, "PDF Uploaded Successfully"],
])("section 8, %s", (_situation, text, catalogue) => {
  expect(text).toEqual(catalogue);
});
