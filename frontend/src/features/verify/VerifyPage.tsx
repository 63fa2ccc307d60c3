import { Suspense, useState } from "react";
import { LoginLink } from "@/account/LoginLink";
import { PageLayout } from "@/layout/PageLayout";
import { lazyComponent } from "@/ui/lazyComponent";
import { PageHeading } from "@/ui/PageHeading";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { VerifierKey } from "@/verify/checkpoint";
import { FileChooser } from "./components/FileChooser";
import { KeyForm } from "./components/KeyForm";
import { Offline } from "./components/Offline";
import { messages } from "./messages";
import { type Chosen, loadVerification, useCheck } from "./useCheck";

const loadResult = () => import("./components/Result");
const Verdict = lazyComponent(loadResult, "Verdict");
const Result = lazyComponent(loadResult, "Result");

/** Checks an evidence bundle in the browser, for anybody. */
export function VerifyPage() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [key, setKey] = useState<VerifierKey | null>(null);
  const { state, check } = useCheck();
  useIdleLoad(loadVerification);
  useIdleLoad(loadResult);

  const choose = (next: Chosen) => {
    setChosen(next);
    void check(next, key);
  };
  const pin = (pinned: VerifierKey | null) => {
    setKey(pinned);
    if (chosen) void check(chosen, pinned);
  };
  const isIdle = state.phase === "idle";

  return (
    <PageLayout width="medium" visitor={<LoginLink />}>
      <PageHeading documentTitle={messages.title}>{messages.title}</PageHeading>
      <p className="mt-4 max-w-prose text-lg text-muted">{messages.lead}</p>
      <div className="mt-8 print:hidden">
        <FileChooser isSmall={!isIdle} onChosen={choose} />
        <KeyForm onKey={pin} />
      </div>
      <div role="status">
        <Suspense fallback={null}>{!isIdle && <Verdict state={state} />}</Suspense>
      </div>
      <Suspense fallback={null}>
        {!isIdle && <Result state={state} isPinned={key !== null} />}
      </Suspense>
      <Offline />
    </PageLayout>
  );
}
