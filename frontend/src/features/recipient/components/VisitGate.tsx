import { type ReactNode, useEffect } from "react";
import { Navigate, useParams, useSearchParams } from "react-router";
import type { SharedIdea } from "@/api/generated";
import { StatusScreen } from "@/layout/StatusScreen";
import { paths } from "@/routing/paths";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { useDelayed } from "@/ui/useDelayed";
import { messages } from "../messages";
import { accessTokenOf, ensureLookedUp, type FoundShare, lookUp, useVisit } from "../visit";
import { AccessDenied, useAccessDeniedReady, VisitEnded } from "./LazyAccessDenied";

type Screen = "collect" | "nda" | "document";

const screens: Record<SharedIdea["stage"], Screen> = {
  collect: "collect",
  verify: "collect",
  nda: "nda",
  open: "document",
};

interface VisitGateProps {
  /** The screen behind this gate. */
  screen: Screen;
  children: (share: FoundShare) => ReactNode;
}

/**
 * Shows a screen of the recipient flow only at its own stage, and redirects to the screen of the
 * current stage otherwise (docs/rules.md#share-stages). The server decides the stage and withholds
 * what it does not allow.
 */
export function VisitGate({ screen, children }: VisitGateProps) {
  const { accessToken } = useParams();
  const [query] = useSearchParams();
  const token = accessTokenOf(accessToken, query);
  const dispatch = useAppDispatch();
  const visit = useVisit(token);
  const own = useAppSelector(({ visit: { current } }) =>
    current?.token === token ? current.own : undefined,
  );

  // Mostly the next screen is about to replace this one.
  const isLeaving = visit?.status === "denied" && visit.reason === "left" && !visit.ended;
  const stays = useDelayed(isLeaving);

  useAccessDeniedReady();
  useEffect(() => {
    if (token) dispatch(ensureLookedUp(token));
  }, [dispatch, token]);

  if (!token) return <AccessDenied reason="dead" />;
  if (own) return <Navigate to={paths.preview(own)} replace />;
  if (!visit || visit.status === "verifying" || (isLeaving && !stays))
    return <StatusScreen text={messages.verifyingAccess} />;
  if (visit.status === "denied" && visit.ended) {
    return <VisitEnded token={token} ended={visit.ended} />;
  }
  if (visit.status === "denied") {
    const retry = () => dispatch(lookUp(token));
    return <AccessDenied reason={visit.reason} token={token} onRetry={retry} />;
  }
  const due = screens[visit.shared.stage];
  if (due !== screen) return <Navigate to={paths[due](token)} replace />;
  return children(visit);
}
