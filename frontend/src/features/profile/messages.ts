/** Texts of spec section 8 for the profile, and what its uploads add. */
export const messages = {
  loading: "Loading profile...",
  uploading: "Uploading image...",
  emailNote: "Email cannot be changed",
  loggedOut: "You have been logged out successfully.",
  updated: "Profile updated",
  updateFailed: "Failed to update profile. Please try again.",
  imageUploaded: "Image uploaded",
  imageFailed: "Failed to upload image. Please try again.",
  imagesOnly: "Please choose a PNG, JPEG, GIF or WebP image.",
  imageTooLarge: "Please choose an image of at most 5 MB.",
  passwordChanged: "Password changed",
  passwordFailed: "Failed to change password",
  loadFailed: "Your profile could not be loaded.",
} as const;
