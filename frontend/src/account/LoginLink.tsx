import { paths } from "@/routing/paths";
import { LinkButton } from "@/ui/LinkButton";

/** Link to the login, on public pages. */
export function LoginLink() {
  return (
    <LinkButton to={paths.login} variant="secondary" size="sm">
      Login
    </LinkButton>
  );
}
