/** Toast texts (docs/rules.md#ui-account). */
export const messages = {
  loggedIn: "You have been logged in successfully!",
  loginFailed: "Invalid email or password. Please try again.",
  codeUsedUp:
    "Your last try may have used this code up. Please enter the next one that your app shows, or another recovery code.",
  registered: "Account created successfully! Please log in.",
  registerFailed: "Registration failed. Email may already be in use.",
  registerUnanswered:
    "Your last try may have made the account already. Please try to sign in with it.",
  resetSent: "Password reset instructions have been sent to your email.",
  resetSendFailed: "Failed to send reset email. Please try again.",
  network: "Network error. Please try again.",
  passwordReset: "Your password has been reset. Please sign in.",
  passwordResetUnanswered:
    "Your new password may be set already. Please try to sign in with it. If that does not work, request a new link.",
  passwordResetFailed: "Failed to reset password. Please try again.",
  confirmationPassword: "Please enter the password of this account.",
} as const;
