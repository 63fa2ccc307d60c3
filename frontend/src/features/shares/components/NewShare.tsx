import { useState } from "react";
import { useCreateShareMutation } from "@/api/enhanced";
import { useAppDispatch } from "@/app/hooks";
import { Panel } from "@/ui/Panel";
import { errorToast } from "@/ui/toast/toastSlice";
import { messages } from "../messages";
import { type ShareFormValues, shareBody } from "../shareForm";
import { useCreatedToasts } from "../useCreatedToasts";
import { NewLink } from "./NewLink";
import { NewShareForm, type ShareProblem } from "./NewShareForm";

/** Creates links; the newest one stays in sight with its full address. */
export function NewShare({ ideaId }: { ideaId: number }) {
  const dispatch = useAppDispatch();
  const announceCreated = useCreatedToasts();
  const [createShare] = useCreateShareMutation();
  const [accessLink, setAccessLink] = useState<string | null>(null);

  const submit = async (values: ShareFormValues): Promise<ShareProblem | null> => {
    const { data, error } = await createShare({ shareBody: shareBody(ideaId, values) });
    if (data) {
      setAccessLink(data.accessLink);
      announceCreated();
      return null;
    }
    dispatch(errorToast(messages.createFailed));
    return {
      text: (error && "detail" in error && error.detail) || messages.createFailed,
      field: (error && "field" in error && error.field) || null,
    };
  };

  return (
    <Panel title="Create New Share Link">
      <NewShareForm onSubmit={submit} />
      {accessLink && <NewLink accessLink={accessLink} />}
    </Panel>
  );
}
