import { useRef, useState } from "react";
import type { TwoFactorSetup, TwoFactorStatus } from "@/api/generated";
import {
  useBeginTwoFactorMutation,
  useGetTwoFactorQuery,
  useRemoveTwoFactorMutation,
  useReplaceRecoveryCodesMutation,
} from "@/api/profile";
import { useAppDispatch } from "@/store/hooks";
import { successToast } from "@/store/toastSlice";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { LoadFailure } from "@/ui/LoadFailure";
import { Panel } from "@/ui/Panel";
import { messages } from "./messages";
import { PasswordStep } from "./PasswordStep";
import { RecoveryStep } from "./RecoveryStep";
import { SetupStep } from "./SetupStep";

/** Shows whether two-factor sign-in is on, and changes it. */
export function TwoFactorSection() {
  const status = useGetTwoFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Panel title="Two-step sign-in">
      {status.isError && (
        <LoadFailure text={messages.loadFailed} busy={status.isFetching} onRetry={status.refetch} />
      )}
      {status.data ? (
        <TwoFactor status={status.data} />
      ) : (
        !status.isError && (
          <p role="status" className="min-h-24 text-muted text-sm">
            Loading...
          </p>
        )
      )}
    </Panel>
  );
}

/**
 * Step of the change in progress. Turning on and off are apart: when another tab was faster, the
 * same password must not do the opposite.
 */
type Stage =
  | { at: "rest" }
  | { at: "start" }
  | { at: "removal" }
  | { at: "renewal" }
  | { at: "setup"; setup: TwoFactorSetup }
  | { at: "codes"; codes: string[] };

function TwoFactor({ status }: { status: TwoFactorStatus }) {
  const dispatch = useAppDispatch();
  const [beginTwoFactor] = useBeginTwoFactorMutation();
  const [removeTwoFactor] = useRemoveTwoFactorMutation();
  const [replaceCodes] = useReplaceRecoveryCodesMutation();
  const [stage, setStage] = useState<Stage>({ at: "rest" });
  // Takes focus back when the step that had it is complete.
  const place = useRef<HTMLDivElement>(null);

  const rest = () => {
    setStage({ at: "rest" });
    place.current?.focus();
  };
  const begin = async (currentPassword: string) => {
    const { data, error } = await beginTwoFactor({ currentPasswordBody: { currentPassword } });
    if (data) setStage({ at: "setup", setup: data });
    return error;
  };
  const turnOff = async (currentPassword: string) => {
    const { error } = await removeTwoFactor({ currentPasswordBody: { currentPassword } });
    if (!error) {
      rest();
      dispatch(successToast(messages.turnedOff));
    }
    return error;
  };
  const replace = async (currentPassword: string) => {
    const { data, error } = await replaceCodes({ currentPasswordBody: { currentPassword } });
    if (data) {
      setStage({ at: "codes", codes: data.recoveryCodes });
      dispatch(successToast(messages.codesReplaced));
    }
    return error;
  };
  const confirmed = (codes: string[]) => {
    setStage({ at: "codes", codes });
    dispatch(successToast(messages.turnedOn));
  };

  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <div className="flex flex-col items-start gap-3 sm:flex-row sm:items-center sm:justify-between">
        <State status={status} />
        {stage.at === "rest" && (
          <div className="flex shrink-0 flex-wrap gap-3">
            {status.enabled && (
              <Button variant="secondary" onClick={() => setStage({ at: "renewal" })}>
                New recovery codes
              </Button>
            )}
            <Button
              variant="secondary"
              onClick={() => setStage({ at: status.enabled ? "removal" : "start" })}
            >
              {status.enabled ? "Turn off" : "Set up"}
            </Button>
          </div>
        )}
      </div>
      {stage.at === "start" && (
        <PasswordStep submit="Continue" variant="primary" onPassword={begin} onCancel={rest} />
      )}
      {stage.at === "removal" && (
        <PasswordStep submit="Turn off" variant="danger" onPassword={turnOff} onCancel={rest} />
      )}
      {stage.at === "renewal" && (
        <PasswordStep
          submit="Create new codes"
          hint="Your old recovery codes will stop working."
          variant="primary"
          onPassword={replace}
          onCancel={rest}
        />
      )}
      {stage.at === "setup" && (
        <SetupStep setup={stage.setup} onConfirmed={confirmed} onCancel={rest} />
      )}
      {stage.at === "codes" && <RecoveryStep codes={stage.codes} onDone={rest} />}
    </div>
  );
}

function State({ status: { enabled, recoveryCodesLeft } }: { status: TwoFactorStatus }) {
  if (!enabled)
    return (
      <p className="text-muted text-sm">
        You will need a code from an authenticator app on your phone to sign in. Turning this on
        signs you out everywhere else.
      </p>
    );
  return (
    <div className="text-sm">
      <Badge tone="success">On</Badge>
      <p className="mt-2 text-muted">
        You need a code from your authenticator app to sign in. {left(recoveryCodesLeft)}
      </p>
    </div>
  );
}

function left(codes: number): string {
  if (codes === 0) return "You have no recovery codes left. Please create new ones.";
  return codes === 1
    ? "You have one recovery code left."
    : `You have ${codes} recovery codes left.`;
}
