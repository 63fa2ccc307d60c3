import { Link } from "react-router";
import { certificateUrl, useSwitchPublicRecordMutation } from "@/api/evidence";
import { paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Panel } from "@/ui/Panel";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";

const words = messages.documents;

interface DocumentsPanelProps {
  ideaId: number;
  documentId: string;
  isPublic: boolean;
}

/** The certificate of a published idea, and the switch of its public record. */
export function DocumentsPanel({ ideaId, documentId, isPublic }: DocumentsPanelProps) {
  const dispatch = useAppDispatch();
  const [setPublic, { isLoading }] = useSwitchPublicRecordMutation();
  const change = async (enabled: boolean) => {
    const answer = await setPublic({ id: ideaId, enabled });
    if (answer.error) dispatch(errorToast(words.failed));
  };
  return (
    <div className="print:hidden">
      <Panel title={words.title}>
        <p className="text-muted text-sm">{words.certificateHint}</p>
        <p className="mt-2">
          <a
            href={certificateUrl(ideaId)}
            download
            className={`inline-block py-1.5 ${textLinkStyles}`}
          >
            {words.certificate}
          </a>
        </p>
        <label className="mt-4 flex min-h-11 cursor-pointer items-start gap-3 border-line border-t pt-4 text-sm">
          <input
            type="checkbox"
            checked={isPublic}
            disabled={isLoading}
            onChange={(event) => void change(event.target.checked)}
            className="mt-0.5 size-5 shrink-0 accent-primary"
          />
          <span>
            <span className="font-medium">{words.record}</span>
            <span className="mt-0.5 block text-muted">{words.recordHint}</span>
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
