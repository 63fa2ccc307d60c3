/** Toast texts (docs/rules.md#ui-account). */
export const messages = {
  loggedIn: "You have been logged in successfully!",
  loginFailed: "Invalid email or password. Please try again.",
  registered: "Account created successfully! Please log in.",
  registerFailed: "Registration failed. Email may already be in use.",
  resetSent: "Password reset instructions have been sent to your email.",
  resetSendFailed: "Failed to send reset email. Please try again.",
  network: "Network error. Please try again.",
  passwordReset: "Your password has been reset. Please log in.",
  passwordResetFailed: "Failed to reset password. Please try again.",
  confirmationPassword: "Please enter the password of this account.",
} as const;
