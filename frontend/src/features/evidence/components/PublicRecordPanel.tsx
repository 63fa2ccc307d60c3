import { Link } from "react-router";
import { useSetPublicRecordMutation } from "@/api/evidence";
import { paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Panel } from "@/ui/Panel";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";

const words = messages.publicRecord;

interface PublicRecordPanelProps {
  ideaId: number;
  documentId: string;
  isPublic: boolean;
}

/** The switch of the public record of a published idea. */
export function PublicRecordPanel({ ideaId, documentId, isPublic }: PublicRecordPanelProps) {
  const dispatch = useAppDispatch();
  const [setPublic, { isLoading }] = useSetPublicRecordMutation();
  const change = async (enabled: boolean) => {
    const answer = await setPublic({ id: ideaId, publicRecordSwitch: { enabled } });
    if (answer.error) dispatch(errorToast(words.failed));
  };
  return (
    <div className="print:hidden">
      <Panel title={words.title}>
        <label className="flex min-h-11 cursor-pointer items-start gap-3 text-sm">
          <input
            type="checkbox"
            checked={isPublic}
            disabled={isLoading}
            onChange={(event) => void change(event.target.checked)}
            className="mt-0.5 size-5 shrink-0 accent-primary"
          />
          <span>
            <span className="font-medium">{words.enable}</span>
            <span className="mt-0.5 block text-muted">{words.hint}</span>
          </span>
        </label>
        {isPublic && (
          <p className="mt-2 text-sm">
            <Link to={paths.record(documentId)} className={`inline-block py-1.5 ${textLinkStyles}`}>
              {words.open}
            </Link>
          </p>
        )}
      </Panel>
    </div>
  );
}
