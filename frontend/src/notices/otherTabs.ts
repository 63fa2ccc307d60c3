const CHANNEL = "ideavault-notices";

/** Notifies the other tabs of this browser that notices were read. */
export function tellOtherTabs(): void {
  if (typeof BroadcastChannel === "undefined") return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage("read");
  channel.close();
}

/** Calls back whenever another tab has read notices; returns a function that unsubscribes. */
export function onReadElsewhere(callback: () => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = callback;
  return () => channel.close();
}
