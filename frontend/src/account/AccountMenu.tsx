import { ChevronDown, LogOut, UserRound } from "lucide-react";
import { useSelector } from "react-redux";
import { useNavigate } from "react-router";
import { paths } from "@/routing/paths";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { Avatar } from "@/ui/Avatar";
import { Menu } from "@/ui/Menu";
import { useLogout } from "./useLogout";

/** Toast after a logout from the header (docs/rules.md#ui-account). */
const LOGGED_OUT = "You have been successfully logged out.";

/** Greeting, avatar and the Account menu. */
export function AccountMenu() {
  const user = useSelector(selectCurrentUser);
  const navigate = useNavigate();
  const { logout, question } = useLogout(LOGGED_OUT);
  const [firstName] = user?.name.trim().split(/\s+/) ?? [];
  return (
    <>
      <p className="min-w-0 max-w-28 truncate font-medium text-sm sm:max-w-56">
        Hi {firstName || "User"}
      </p>
      <Menu
        label="Account"
        className="inline-flex min-h-11 shrink-0 items-center gap-1 rounded-full pr-1.5 pl-1 text-muted hover:bg-sunken"
        items={[
          {
            label: "Profile Settings",
            icon: <UserRound className="size-4" aria-hidden="true" />,
            onSelect: () => navigate(paths.profile),
          },
          {
            label: "Log Out",
            icon: <LogOut className="size-4" aria-hidden="true" />,
            onSelect: logout,
          },
        ]}
      >
        <Avatar name={user?.name} image={user?.profileImage} />
        <ChevronDown className="size-4" aria-hidden="true" />
      </Menu>
      {question}
    </>
  );
}
