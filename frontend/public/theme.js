// Runs before first paint, so that a stored theme, an answered cookie question and the header of a
// signed-in user do not flash or shift. The build writes it into every document. The keys are those
// of src/ui/theme.ts, src/ui/cookies/consent.ts and src/store/currentUserSlice.ts.
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  if (localStorage.getItem("currentUser") !== null) dataset.signedIn = "";
  if (localStorage.getItem("cookieConsent") !== null) dataset.cookies = "answered";
} catch {
  // Storage may be blocked: the system's theme applies, and no cookie answer could be stored.
  document.documentElement.dataset.cookies = "answered";
}
