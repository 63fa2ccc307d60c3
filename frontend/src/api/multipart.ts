/** Fields as a multipart form; what is null or left out is not sent. */
export function multipart(fields: Record<string, Blob | string | number | null | undefined>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.set(name, value);
    else if (value !== undefined && value !== null) form.set(name, String(value));
  }
  return form;
}
