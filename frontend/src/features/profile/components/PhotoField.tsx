import { Camera } from "lucide-react";
import { useRef, useState } from "react";
import { toApiError } from "@/api/baseApi";
import type { User } from "@/api/generated";
import { isExplained } from "@/api/http";
import { useUploadProfileImageMutation } from "@/api/profile";
import { requestKeys } from "@/api/requestKeys";
import { rememberUser } from "@/store/currentUserSlice";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Avatar } from "@/ui/Avatar";
import { Spinner } from "@/ui/Spinner";
import { IMAGE_TYPES, imageProblem } from "../imageFile";
import { messages } from "../messages";

/**
 * The avatar as a button with a camera icon; its label appears on hover and focus, and always on
 * small screens and without hover.
 */
export function PhotoField({ user }: { user: User }) {
  const dispatch = useAppDispatch();
  const [upload, { isLoading }] = useUploadProfileImageMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [keys] = useState(requestKeys);
  const input = useRef<HTMLInputElement>(null);

  const receive = async (file: File | undefined) => {
    if (!file) return;
    setFailure(null);
    const problem = imageProblem(file);
    if (problem) return setFailure(problem);
    const { data, error } = await upload({
      profileImageForm: { image: file },
      "Idempotency-Key": keys.of(file.name, file.size, file.lastModified),
    });
    keys.settle(error && toApiError(error));
    if (data) {
      rememberUser({ dispatch }, data);
      dispatch(successToast(messages.imageUploaded));
      return;
    }
    const refusal = toApiError(error);
    setFailure(refusal.detail ?? messages.imageFailed);
    if (!isExplained(refusal)) dispatch(errorToast(messages.imageFailed));
  };

  return (
    <div className="flex shrink-0 flex-col items-center gap-3 sm:w-36">
      <button
        type="button"
        aria-disabled={isLoading || undefined}
        aria-busy={isLoading || undefined}
        className="group relative size-32 overflow-hidden rounded-full"
        onClick={() => {
          if (!isLoading) input.current?.click();
        }}
      >
        <Avatar name={user.name} image={user.profileImage} className="size-32 text-4xl" />
        <span className="absolute inset-x-0 bottom-0 flex flex-col items-center justify-center gap-0.5 bg-night/85 pt-1 pb-3 font-semibold text-white text-xs">
          {isLoading ? (
            <Spinner className="size-5" />
          ) : (
            <>
              <Camera className="size-4" aria-hidden="true" />
              <span className="transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100 md:[@media(hover:hover)]:sr-only md:group-hover:not-sr-only md:group-focus-visible:not-sr-only">
                Change Photo
              </span>
            </>
          )}
        </span>
        {isLoading && <span className="sr-only">Change Photo</span>}
      </button>
      <input
        ref={input}
        type="file"
        accept={IMAGE_TYPES.join(",")}
        aria-label="Photo file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          void receive(file);
        }}
      />
      <p role="status" className="min-h-6 text-center text-muted text-sm">
        {isLoading && messages.uploading}
      </p>
      {failure && <Alert>{failure}</Alert>}
    </div>
  );
}
