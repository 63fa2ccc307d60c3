/** The messages of docs/rules.md#ui-messages, word for word. */

/** Text of a toast titled 'Error', or title and text of another one. */
type Words = string | readonly [title: string, text?: string | RegExp];

/** Failures. Where the server's message comes first, that case has a row of its own. */
export const failures = {
  account: {
    "Login failure": "Invalid email or password. Please try again.",
    "Register failure": "Registration failed. Email may already be in use.",
    "Forgot password, non-ok: the server message": "Slow down.",
    "Forgot password, non-ok": "Failed to send reset email. Please try again.",
    "Forgot password, network": "Network error. Please try again.",
    "Logout failure (dashboard)": "Failed to logout. Please try again.",
    "Logout failure (profile)": "Failed to logout. Please try again.",
    "Profile update failure": "Failed to update profile. Please try again.",
    "Profile image failure": "Failed to upload image. Please try again.",
    "Password change failure: the server message": "Current password is incorrect",
    "Password change failure": "Failed to change password",
  },
  ideas: {
    "Delete idea failure": "Failed to delete idea. Please try again.",
    "PDF upload failure: the thrown message": "This PDF is encrypted.",
    "PDF upload failure": "Failed to upload PDF",
    "PDF upload failure, no answer": "Could not upload PDF file",
    "Create idea failure": "Failed to create idea",
    "Update idea failure": "Failed to update idea",
    "Publish failure": "Failed to publish idea",
    "AI writing assistant failure: the server message": "No language model is set up.",
    "AI writing assistant failure": "Failed to get AI response",
    "Copy-all, nothing": ["Nothing to copy", "No AI-generated content available yet."],
    "Copy-all, refused": ["Copy failed", /could not copy.*select/i],
  },
  sharing: {
    "Share link failure": "Failed to create share link. Please try again.",
    "Collect submit failure": "Failed to submit your information. Please try again.",
    "NDA agree failure": "Failed to record your agreement. Please try again.",
    "Add comment failure": "Failed to add comment. Please try again.",
    "Waitlist failure": "Something went wrong. Please try again.",
    "AI search failure: the server message": ["Search Error"],
    "AI search failure": ["Search Error"],
    "AI search failure, no answer": ["Search Error"],
  },
} as const satisfies Record<string, Record<string, Words>>;

/** Failures that are not shown as a toast, or not at all. */
export const otherFailures = {
  "Editor image upload failure, refused": "Failed to upload image",
  "Editor image upload failure, no answer": "Error uploading image",
  "Invalid or expired share token": "Access Denied",
  "Token verification failure": null,
  "Comment fetch failure": null,
} as const;

/** Successes; a row with one text may have it as title or as description. */
export const successes = {
  account: {
    Login: "You have been logged in successfully!",
    Register: "Account created successfully! Please log in.",
    "Forgot password": "Password reset instructions have been sent to your email.",
    "Logout (dashboard)": "You have been successfully logged out.",
    "Logout (profile)": "You have been logged out successfully.",
    Profile: "Profile updated",
    Image: "Image uploaded",
    Password: "Password changed",
  },
  ideas: {
    Delete: "Idea deleted successfully!",
    "Idea created": "Idea created successfully",
    "Idea updated": "Idea updated successfully",
    Publish: "Idea published successfully",
    "Copy-all": ["Copied!", "AI-generated content copied to clipboard."],
  },
  sharing: {
    Share: "Share link created successfully!",
    "Share, then": ["Share Link Ready", /send the link/i],
    "Copy link": ["Copied", "Share link copied to clipboard!"],
    "Copy link (new)": ["Copied", "Share link copied to clipboard!"],
    Waitlist: ["Success!", "Thank you for joining our waitlist. We'll be in touch soon!"],
    Download: "Download Started",
    Decline: ["Agreement Declined", "The session will now end."],
  },
} as const satisfies Record<string, Record<string, Words>>;
