import { useState } from "react";
import { toApiError } from "@/api/baseApi";
import { useCreateShareMutation, useListIdeaSharesQuery } from "@/api/enhanced";
import type { Share } from "@/api/generated";
import { isExplained } from "@/api/http";
import { requestKeys } from "@/api/requestKeys";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { Panel } from "@/ui/Panel";
import { messages } from "../messages";
import { type ShareFormValues, type ShareSettings, settingsOf, shareBody } from "../shareForm";
import { useCreatedToasts } from "../useCreatedToasts";
import { CreatedShare } from "./CreatedShare";
import { NewShareForm, type ShareProblem } from "./NewShareForm";

/** Creates links; the newest one stays visible with its full address until it ends. */
export function NewShare({ ideaId }: { ideaId: number }) {
  const dispatch = useAppDispatch();
  const announceCreated = useCreatedToasts();
  const [createShare] = useCreateShareMutation();
  const [keys] = useState(requestKeys);
  const [created, setCreated] = useState<Share | null>(null);
  const { data, isError } = useListIdeaSharesQuery({ id: ideaId });
  const shares = data ?? [];
  // Once: what somebody reads here must not change before it is sent.
  const [start, setStart] = useState<ShareSettings | null>(null);
  if (start === null && (data || isError)) setStart(settingsOf(shares));
  // The list does not have it until it is loaded anew.
  const { accessLink, state } = shares.find(({ id }) => id === created?.id) ?? created ?? {};

  const submit = async (values: ShareFormValues): Promise<ShareProblem | null> => {
    const body = shareBody(ideaId, values);
    const key = keys.of(body);
    const { data, error } = await createShare({ shareBody: body, "Idempotency-Key": key });
    keys.settle(error && toApiError(error));
    if (data) {
      setCreated(data);
      announceCreated(data.shareType === "email");
      return null;
    }
    const refusal = toApiError(error);
    if (!isExplained(refusal)) dispatch(errorToast(messages.createFailed));
    return { text: refusal.detail ?? messages.createFailed, field: refusal.field };
  };

  return (
    <Panel title="Create New Share Link">
      {start && <NewShareForm start={start} onSubmit={submit} />}
      {accessLink && state === "active" && <CreatedShare accessLink={accessLink} />}
    </Panel>
  );
}
