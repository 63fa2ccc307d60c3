import { useId } from "react";
import type { NotificationMode } from "@/api/generated";
import {
  useGetNotificationSettingsQuery,
  useUpdateNotificationSettingsMutation,
} from "@/api/notificationSettings";
import { notificationModes } from "@/notices/modes";
import { LoadFailure } from "@/ui/LoadFailure";
import { Panel } from "@/ui/Panel";
import { messages } from "../messages";

const hints: Record<NotificationMode, string> = {
  "at-once": "Within half a minute. Events on the same link come in one email.",
  daily: "One email at 7:00 UTC, if anything happened.",
  never: "You will still see notices under the bell.",
};

/** Setting of when to send emails about the user's links. */
export function NotificationsSection() {
  const name = useId();
  const settings = useGetNotificationSettingsQuery();
  const [update, { isLoading, isError, isSuccess, originalArgs }] =
    useUpdateNotificationSettingsMutation();
  // Shows a choice while it is being saved; reverts it when refused.
  const chosen = isLoading ? originalArgs?.notificationSettingsBody.mode : settings.data?.mode;
  return (
    <div id="mails" className="scroll-mt-4">
      <Panel title="Emails about your links">
        {settings.isError && !settings.data && (
          <LoadFailure
            text={messages.mailsLoadFailed}
            busy={settings.isFetching}
            onRetry={settings.refetch}
          />
        )}
        <fieldset disabled={!settings.data} className="flex min-h-48 flex-col gap-1">
          <legend className="mb-2 text-muted text-sm">
            When somebody agrees, opens your idea or comments, and when a link is about to end. You
            can choose differently for each link on its idea’s share page.
          </legend>
          {notificationModes.map(({ value, label }) => (
            <label key={value} className="flex min-h-11 items-start gap-3 py-1.5">
              <input
                type="radio"
                name={name}
                value={value}
                checked={chosen === value}
                onChange={() => update({ notificationSettingsBody: { mode: value } })}
                className="mt-1 size-4 shrink-0 accent-primary"
              />
              <span>
                <span className="block font-semibold text-sm">{label}</span>
                <span className="block text-muted text-sm">{hints[value]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p role="status" className="text-muted text-sm">
          {isSuccess && messages.mailsSaved}
        </p>
        {isError && (
          <p role="alert" className="text-danger text-sm">
            {messages.mailsFailed}
          </p>
        )}
      </Panel>
    </div>
  );
}
