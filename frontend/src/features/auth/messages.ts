/** Toast texts (docs/rules.md#ui-account). */
export const messages = {
  loggedIn: "You have been logged in successfully!",
  loginFailed: "Invalid email or password. Please try again.",
  codeUsedUp:
    "Your last attempt may have used up this code. Please enter the next one your app shows, or another recovery code.",
  registered: "Account created successfully! Please log in.",
  registerFailed: "Registration failed. Email may already be in use.",
  registerUnanswered:
    "Your last attempt may already have created the account. Please try signing in.",
  resetSent: "Password reset instructions have been sent to your email.",
  resetSendFailed: "Failed to send reset email. Please try again.",
  network: "Network error. Please try again.",
  passwordReset: "Your password has been reset. Please sign in.",
  passwordResetUnanswered:
    "Your new password may already be set. Please try signing in with it. If that does not work, request a new link.",
  passwordResetFailed: "Failed to reset password. Please try again.",
  confirmationPassword: "Please enter the password of this account.",
} as const;
