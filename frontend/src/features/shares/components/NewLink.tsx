import { useId } from "react";
import { shareUrl } from "@/sharing/shareTypes";
import { inputStyles } from "@/ui/form/FieldShell";
import { CopyLinkButton } from "./CopyLinkButton";

/** The full address of the link just created, read-only. */
export function NewLink({ accessLink }: { accessLink: string }) {
  const id = useId();
  return (
    <div className="mt-6 rounded-md bg-success-soft p-4">
      <label htmlFor={id} className="font-semibold text-sm text-success">
        Your new link
      </label>
      <div className="mt-2 flex flex-col gap-2 sm:flex-row">
        <input
          id={id}
          readOnly
          value={shareUrl(accessLink)}
          onFocus={(event) => event.target.select()}
          className={`${inputStyles} font-mono text-sm`}
        />
        <CopyLinkButton accessLink={accessLink} label="Copy" />
      </div>
    </div>
  );
}
