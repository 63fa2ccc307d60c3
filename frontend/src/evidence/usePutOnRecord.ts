import { useRecordRevisionMutation } from "@/api/evidence";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { messages } from "./messages";

const { done, failed } = messages.putOnRecord;

/**
 * Returns a function that puts the current version of a draft on record, tells the user and returns
 * whether it worked, and whether it is at work.
 */
export function usePutOnRecord(ideaId: number) {
  const dispatch = useAppDispatch();
  const [record, { isLoading }] = useRecordRevisionMutation();
  const putOnRecord = async () => {
    const { data } = await record({ id: ideaId });
    dispatch(data ? successToast(done(data.revision)) : errorToast(failed));
    return data !== undefined;
  };
  return [putOnRecord, isLoading] as const;
}
