import { useEffect, useLayoutEffect } from "react";
import { useDispatch, useSelector, useStore } from "react-redux";
import { Link, useLocation } from "react-router";
import { Bell } from "@/notices/Bell";
import { paths } from "@/routing/paths";
import { selectIsRevalidated } from "@/store/currentUserSlice";
import { AccountMenu } from "./AccountMenu";
import { followOtherTabs } from "./followOtherTabs";
import { revalidateUser } from "./revalidateUser";

/**
 * Header content for a signed-in user. Public pages load it lazily and have no RTK Query:
 * everything below it calls the server through `publicClient`.
 */
export function Account({ withDashboardLink }: { withDashboardLink: boolean }) {
  const { pathname } = useLocation();
  useRevalidation();
  useOtherTabs();
  useSignedInMark();
  return (
    <>
      {withDashboardLink && pathname !== paths.dashboard && (
        <Link
          to={paths.dashboard}
          className="inline-flex min-h-11 items-center rounded-md px-2 font-medium text-sm hover:bg-sunken"
        >
          Dashboard
        </Link>
      )}
      <Bell />
      <AccountMenu />
    </>
  );
}

/** Revalidates the stored user with the server once; public pages show the stored user until then. */
function useRevalidation() {
  const dispatch = useDispatch();
  const isRevalidated = useSelector(selectIsRevalidated);
  useEffect(() => {
    if (!isRevalidated) void revalidateUser({ dispatch });
  }, [isRevalidated, dispatch]);
}

function useOtherTabs() {
  const store = useStore();
  useEffect(() => followOtherTabs(store), [store]);
}

/** Keeps the root attribute that public/theme.js sets at start in step with logins and logouts. */
function useSignedInMark() {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.signedIn = "";
    return () => {
      delete dataset.signedIn;
    };
  }, []);
}
