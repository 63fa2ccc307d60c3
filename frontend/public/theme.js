// Runs before first paint, so that a stored theme never flashes. A file of its own, because the
// content security policy forbids inline scripts. The key is the one of src/ui/theme.ts.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage may be blocked: the system's theme applies.
}
