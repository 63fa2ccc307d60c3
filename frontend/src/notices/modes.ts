import type { NotificationMode } from "@/api/generated";

/** Settings of when to send emails about notices, in display order. */
export const notificationModes: readonly { value: NotificationMode; label: string }[] = [
  { value: "at-once", label: "At once" },
  { value: "daily", label: "Once a day" },
  { value: "never", label: "Never" },
];
