import { lazy, Suspense, useEffect, useState } from "react";
import { useSelector } from "react-redux";
import { selectToast } from "./toastSlice";

const loadToaster = () => import("./Toaster");
const Toaster = lazy(async () => ({ default: (await loadToaster()).Toaster }));

/** Draws the toast area from the first toast on; its code is fetched while the page is idle. */
export function ToastArea() {
  const toast = useSelector(selectToast);
  const [wanted, setWanted] = useState(false);
  if (toast && !wanted) setWanted(true);

  useEffect(() => {
    // Fetched before it is needed, since a toast about a lost network could no longer fetch it.
    const timer = setTimeout(() => loadToaster().catch(() => undefined), 1500);
    return () => clearTimeout(timer);
  }, []);

  return <Suspense fallback={null}>{wanted && <Toaster />}</Suspense>;
}
