/** Saves a text as a UTF-8 file, byte for byte: its hash must stay the same. */
export const saveText = (fileName: string, text: string): void =>
  saveBlob(fileName, new Blob([text], { type: "text/plain;charset=utf-8" }));

/** Time for the browser to read a saved file, in milliseconds. WebKit starts late. */
const READ_TIMEOUT_MS = 60_000;

/** Saves bytes as a file. */
export function saveBlob(fileName: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  saveFrom(address, fileName);
  setTimeout(URL.revokeObjectURL, READ_TIMEOUT_MS, address);
}

/** Saves what an address has, as a file; without a name, under the server's. */
export function saveFrom(address: string, fileName = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
}
