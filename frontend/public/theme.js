// Runs before first paint, so that neither a stored theme nor a question about cookies that was
// answered long ago flashes, nor the header of somebody who is signed in moves. A file of its own, because the content security policy forbids inline
// scripts. The keys are those of src/ui/theme.ts,
// src/ui/cookies/consent.ts and src/api/currentUserSlice.ts.
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  if (localStorage.getItem("currentUser") !== null) dataset.signedIn = "";
  if (localStorage.getItem("cookieConsent") !== null) dataset.cookies = "answered";
} catch {
  // Storage may be blocked: the system's theme applies, and no answer about cookies could be kept.
  document.documentElement.dataset.cookies = "answered";
}
