import type { NotificationMode } from "@/api/generated";

/** When mails about notices come, in the order in which they are offered. */
export const notificationModes: readonly { value: NotificationMode; label: string }[] = [
  { value: "at-once", label: "At once" },
  { value: "daily", label: "Once a day" },
  { value: "never", label: "Never" },
];
