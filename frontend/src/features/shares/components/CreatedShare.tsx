import { useId } from "react";
import { shareUrl } from "@/sharing/shareTypes";
import { inputStyles } from "@/ui/form/FieldShell";
import { CopyAccessLink } from "./CopyAccessLink";

/** The full address of the share that was just created, read-only. */
export function CreatedShare({ accessLink }: { accessLink: string }) {
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
        <CopyAccessLink accessLink={accessLink} label="Copy" />
      </div>
    </div>
  );
}
