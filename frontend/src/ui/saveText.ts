/** Saves a text as a UTF-8 file, byte for byte: its hash must stay the same. */
export const saveText = (fileName: string, text: string): void =>
  saveBlob(fileName, new Blob([text], { type: "text/plain;charset=utf-8" }));

/** Saves bytes as a file. */
export function saveBlob(fileName: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // Some browsers start reading only after this task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
