/** Toast texts of spec section 8. */
export const messages = {
  loggedIn: "You have been logged in successfully!",
  loginFailed: "Invalid email or password. Please try again.",
  registered: "Account created successfully! Please log in.",
  registerFailed: "Registration failed. Email may already be in use.",
} as const;
