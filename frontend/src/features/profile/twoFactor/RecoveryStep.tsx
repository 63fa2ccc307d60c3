import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { useUnsavedWork } from "@/store/unsavedWork";
import { AskBeforeLeaving } from "@/ui/AskBeforeLeaving";
import { Button } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { focusOnMount } from "@/ui/focusOnMount";
import { saveText } from "@/ui/saveText";
import { messages } from "./messages";

/** Shows the recovery codes once. */
export function RecoveryStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const dispatch = useAppDispatch();
  const text = `${codes.join("\n")}\n`;
  useUnsavedWork(true);
  return (
    <div className="mt-6 flex flex-col items-start gap-5 border-line border-t pt-6">
      <p ref={focusOnMount} tabIndex={-1} className="outline-none">
        Keep these recovery codes somewhere safe, apart from your phone. Each works once in place of
        a code from your app. They will not be shown again.
      </p>
      <ul
        translate="no"
        aria-label="Recovery codes"
        className="grid w-full gap-x-8 gap-y-1 rounded-md bg-sunken px-4 py-3 font-mono text-sm sm:w-auto sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton
          text={text}
          label="Copy codes"
          size="md"
          onFailed={() => dispatch(errorToast(messages.copyFailed))}
        />
        <Button variant="secondary" onClick={() => saveText("IdeaVault-recovery-codes.txt", text)}>
          Download
        </Button>
        <Button onClick={onDone}>I have saved them</Button>
      </div>
      <AskBeforeLeaving title="Leave without your codes?" description={messages.codesUnsaved} />
    </div>
  );
}
