import { Suspense } from "react";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { useAppSelector } from "@/store/hooks";
import { lazyComponent } from "@/ui/lazyComponent";

const ConfirmAddressNotice = lazyComponent(
  () => import("./ConfirmAddressNotice"),
  "ConfirmAddressNotice",
);

/** Notice on signed-in pages while the account's address is not confirmed. */
export function ConfirmAddress() {
  const user = useAppSelector(selectCurrentUser);
  if (!user?.confirmationRequired || user.emailConfirmed) return null;
  return (
    <Suspense fallback={<div className="min-h-24" />}>
      <ConfirmAddressNotice user={user} />
    </Suspense>
  );
}
