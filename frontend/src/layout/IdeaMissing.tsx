import { useEffect } from "react";
import { useNavigate } from "react-router";
import { backToDashboard, paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { StatusScreen } from "./StatusScreen";

/** A page of an idea that cannot be had: says why and redirects to the dashboard. */
export function IdeaMissing({ text }: { text: string }) {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(errorToast(text));
    navigate(paths.dashboard, { replace: true });
  }, [text, dispatch, navigate]);
  return <StatusScreen text={text} back={backToDashboard} />;
}
