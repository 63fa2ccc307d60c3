// Runs before first paint, so that neither a stored theme nor a question about cookies that was
// answered long ago flashes. A file of its own, because the content security policy forbids inline
// scripts. The keys are those of src/ui/theme.ts and src/ui/cookies/consent.ts.
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  if (localStorage.getItem("cookieConsent") !== null) dataset.cookies = "answered";
} catch {
  // Storage may be blocked: the system's theme applies, and no answer about cookies could be kept.
  document.documentElement.dataset.cookies = "answered";
}
