import { paths } from "@/app/paths";
import { LinkButton } from "@/ui/LinkButton";

/** The way in, on pages for everybody. */
export function LoginLink() {
  return (
    <LinkButton to={paths.login} variant="secondary" size="sm">
      Login
    </LinkButton>
  );
}
