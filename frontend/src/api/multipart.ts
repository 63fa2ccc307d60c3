/** Builds a multipart form; null and undefined fields are left out. */
export function multipart(fields: Record<string, Blob | string | number | null | undefined>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.set(name, value);
    else if (value !== undefined && value !== null) form.set(name, String(value));
  }
  return form;
}
