import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { isExplained, mayHaveArrived } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { cookieProblem, cookiesBlocked } from "@/browser/cookies";
import { paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { PasswordField } from "@/ui/form/PasswordField";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { useIsMounted } from "@/ui/useIsMounted";
import { vaultTerms } from "@/ui/vault";
import { messages } from "../messages";

const validate = lazyValidation(async () => (await import("../schema")).registerSchema);

/** Data from the link in an invitation. */
interface Invitation {
  token: string;
  email: string;
}

export function RegisterForm({ invitation }: { invitation: Invitation | null }) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const [failure, setFailure] = useState(cookieProblem);
  // A try without an answer may have made the account, and used the invitation up.
  const isUnanswered = useRef(false);

  const form = useForm({
    initialValues: { name: "", email: invitation?.email ?? "", password: "", confirmPassword: "" },
    validate,
    onSubmit: async ({ name, email, password }) => {
      setFailure(null);
      const { error } = await publicClient.register({
        name: name.trim(),
        email: email.trim(),
        password,
        ...(invitation && { invitationToken: invitation.token }),
      });
      if (error && isUnanswered.current && [403, 409].includes(error.status)) {
        setFailure(messages.registerUnanswered);
      } else if (error) {
        isUnanswered.current ||= mayHaveArrived(error);
        setFailure(error.detail ?? messages.registerFailed);
        if (error.status === 409 || !isExplained(error))
          dispatch(errorToast(messages.registerFailed));
      } else {
        dispatch(successToast(messages.registered));
        if (isMounted()) await navigate(paths.login);
      }
    },
  });

  return (
    <Form form={form} className="flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <TextField label="Full Name" autoComplete="name" {...formikField(form, "name")} />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        readOnly={Boolean(invitation?.email)}
        hint={invitation?.email ? "Your invitation is for this address." : undefined}
        {...formikField(form, "email")}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        {...formikField(form, "password")}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        {...formikField(form, "confirmPassword")}
      />
      <p className="text-muted text-sm">
        By creating an account you agree to the{" "}
        <NewTabLink to={vaultTerms()}>Terms of Service</NewTabLink> and the{" "}
        <NewTabLink to={paths.privacy}>Privacy Policy</NewTabLink>.
      </p>
      <Button
        type="submit"
        busy={form.isSubmitting}
        disabled={failure === cookiesBlocked}
        className="w-full"
      >
        Create account
      </Button>
    </Form>
  );
}

/** Opens in a new tab, so that the form keeps its input: passwords are never stored for that. */
function NewTabLink({ to, children }: { to: string; children: string }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noopener"
      aria-label={`${children} (opens in a new tab)`}
      className={textLinkStyles}
    >
      {children}
    </a>
  );
}
