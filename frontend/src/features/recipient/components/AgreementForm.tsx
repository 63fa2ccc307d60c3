import { Download } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import type { Nda, SharedIdea } from "@/api/generated";
import { limitsViews } from "@/sharing/shareTypes";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { focusOnMount } from "@/ui/focusOnMount";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { saveText } from "@/ui/saveText";
import { viewWindow } from "@/ui/vault";
import { messages } from "../messages";
import { useReadToEnd } from "../useReadToEnd";
import { AgreementText } from "./AgreementText";

/** The part of the page that holds the agreement and scrolls. */
export const agreementRegionStyles =
  "max-h-[max(16rem,calc(100dvh-30rem))] max-sm:max-h-[max(16rem,calc(100dvh-13rem))] overflow-y-auto rounded-lg border border-line bg-surface px-5 py-6 shadow-soft sm:px-10 sm:py-10 print:max-h-none print:overflow-visible print:border-0 print:p-0 print:shadow-none";

interface AgreementFormProps {
  nda: Nda;
  ideaId: number;
  /** Whether the text was scrolled to its end. */
  isRead: boolean;
  onRead: () => void;
  /** What limits the time for reading, if anything does. */
  viewLimit: ReactNode;
  /** Failure of the last attempt. */
  failure: string | null;
  onAgree: () => void;
  onDecline: () => void;
}

/** Says what limits the time for reading, if anything does. */
export const ViewLimit = ({ shareType }: Pick<SharedIdea, "shareType">) =>
  limitsViews(shareType) && <p>{messages.viewLasts(viewWindow())}</p>;

/** The agreement with its buttons: 'I Agree' is enabled once the text was scrolled to its end. */
export function AgreementForm({ nda, ideaId, isRead, onRead, ...answers }: AgreementFormProps) {
  const region = useRef<HTMLElement>(null);
  useReadToEnd(region, isRead, onRead);
  return (
    <>
      <ScrollRegion ref={region} aria-label="Agreement text" className={agreementRegionStyles}>
        <AgreementText nda={nda} />
      </ScrollRegion>
      <AgreementAnswers
        read={isRead}
        onSave={() => saveText(`NDA-Agreement-Idea-${ideaId}.txt`, nda.text)}
        {...answers}
      />
    </>
  );
}

interface AgreementAnswersProps
  extends Pick<AgreementFormProps, "viewLimit" | "failure" | "onAgree" | "onDecline"> {
  /** Whether the text was scrolled to its end. */
  read: boolean;
  onSave: () => void;
}

/** Actions on the agreement, below its text. */
export function AgreementAnswers({
  read,
  viewLimit,
  failure,
  onAgree,
  onDecline,
  onSave,
}: AgreementAnswersProps) {
  const hint = useId();
  return (
    <div className="mt-4 flex flex-col gap-4 print:hidden">
      {failure && (
        // The status of the attempt had taken the place of the button that was pressed.
        <div ref={focusOnMount} tabIndex={-1} className="outline-none">
          <Alert>{failure}</Alert>
        </div>
      )}
      <div className="text-muted text-sm">
        {viewLimit}
        <p>{messages.untranslated}</p>
        <p id={hint} role="status">
          {read ? (
            "Thank you for reading. Agreeing is irrevocable and applies to this one idea only."
          ) : (
            <>
              Scroll to the end of the text to agree.
              <span className="pointer-coarse:hidden"> The Page Down and End keys work too.</span>
            </>
          )}
        </p>
      </div>
      <div className="flex flex-col flex-wrap gap-3 sm:flex-row sm:items-center">
        <Button disabled={!read} aria-describedby={hint} onClick={onAgree}>
          {read ? "I Agree" : "Please read the full agreement"}
        </Button>
        <Button variant="secondary" onClick={onDecline}>
          Decline
        </Button>
        <Button variant="ghost" className="sm:ml-auto" onClick={onSave}>
          <Download className="size-4" aria-hidden="true" />
          Download Agreement
        </Button>
      </div>
    </div>
  );
}
