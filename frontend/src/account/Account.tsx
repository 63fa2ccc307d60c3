import { useEffect, useLayoutEffect } from "react";
import { useDispatch, useSelector } from "react-redux";
import { Link, useLocation } from "react-router";
import { selectIsConfirmed } from "@/api/currentUserSlice";
import { paths } from "@/app/paths";
import { NoticeBell } from "@/notices/NoticeBell";
import { AccountMenu } from "./AccountMenu";
import { confirmUser } from "./confirmUser";

/**
 * What the header of every page holds for somebody who is signed in. Public pages load it late and
 * have no RTK Query: whatever stands here calls through `publicClient`.
 */
export function Account({ hasBack }: { hasBack: boolean }) {
  const { pathname } = useLocation();
  useConfirmation();
  useSignedInMark();
  return (
    <>
      {!hasBack && pathname !== paths.dashboard && (
        <Link
          to={paths.dashboard}
          className="inline-flex min-h-11 items-center rounded-md px-2 font-medium text-sm hover:bg-sunken"
        >
          Dashboard
        </Link>
      )}
      <NoticeBell />
      <AccountMenu />
    </>
  );
}

/** Public pages show the user whom the browser has stored; the server is asked once whether it is so. */
function useConfirmation() {
  const dispatch = useDispatch();
  const isConfirmed = useSelector(selectIsConfirmed);
  useEffect(() => {
    if (!isConfirmed) void confirmUser({ dispatch });
  }, [isConfirmed, dispatch]);
}

/** What public/theme.js tells the style sheet at the start, kept true after a login and a logout. */
function useSignedInMark() {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.signedIn = "";
    return () => {
      delete dataset.signedIn;
    };
  }, []);
}
