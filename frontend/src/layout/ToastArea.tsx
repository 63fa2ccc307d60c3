import { Suspense, useState } from "react";
import { useAppSelector } from "@/store/hooks";
import { selectToast } from "@/store/toastSlice";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";

const Toaster = lazyComponent(() => import("./Toaster"), "Toaster");

/** Mounts the toast area at the first toast; its code is fetched while the page is idle. */
export function ToastArea() {
  const toast = useAppSelector(selectToast);
  const [wanted, setWanted] = useState(false);
  if (toast && !wanted) setWanted(true);

  useIdleLoad(Toaster.load);

  return <Suspense fallback={null}>{wanted && <Toaster />}</Suspense>;
}
