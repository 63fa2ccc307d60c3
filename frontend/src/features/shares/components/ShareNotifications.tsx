import { useId } from "react";
import type { Share } from "@/api/generated";
import { useUpdateShareNotificationsMutation } from "@/api/shares";
import { notificationModes } from "@/notices/modes";
import { messages } from "../messages";

/** Setting of when to send emails about one link. */
export function ShareNotifications({ share }: { share: Share }) {
  const id = useId();
  const [update, { isError }] = useUpdateShareNotificationsMutation();
  const choose = (value: string) => {
    const chosen = notificationModes.find((offered) => offered.value === value);
    update({ id: share.id, shareNotificationsBody: { mode: chosen?.value ?? null } });
  };
  return (
    <div className="flex w-full flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <label htmlFor={id} className="text-muted">
        Emails about this link
      </label>
      <select
        id={id}
        value={share.notifications ?? ""}
        onChange={(event) => choose(event.target.value)}
        className="min-h-11 rounded-md border border-line-strong bg-surface px-2 text-base text-ink md:min-h-9 md:text-sm"
      >
        <option value="">As set in your profile</option>
        {notificationModes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {isError && (
        <p role="alert" className="text-danger">
          {messages.notificationsFailed}
        </p>
      )}
    </div>
  );
}
