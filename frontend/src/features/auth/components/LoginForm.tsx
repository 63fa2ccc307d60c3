import { useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { type ApiError, isExplained, mayHaveArrived } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { cookieProblem, cookiesBlocked } from "@/browser/cookies";
import { paths } from "@/routing/paths";
import { rememberUser, selectCurrentUser } from "@/store/currentUserSlice";
import { useAppDispatch } from "@/store/hooks";
import type { Thunk } from "@/store/thunk";
import { errorToast, successToast } from "@/store/toastSlice";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { signInCode } from "@/ui/codeDigits";
import { Form } from "@/ui/form/Form";
import { formikField } from "@/ui/form/formik";
import { lazyValidation } from "@/ui/form/lazyValidation";
import { PasswordField } from "@/ui/form/PasswordField";
import { TextField } from "@/ui/form/TextField";
import { useForm } from "@/ui/form/useForm";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { messages } from "../messages";
import { takeReturnTo } from "../takeReturnTo";
import { CodeField } from "./CodeField";

/** Delay before the redirect after a login, in milliseconds (docs/rules.md#ui-constants). */
const REDIRECT_DELAY_MS = 100;

const validate = lazyValidation(async () => (await import("../schema")).loginSchema);

export function LoginForm() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [failure, setFailure] = useState(cookieProblem);
  const [asksCode, setAsksCode] = useState(false);
  // The code of a try without an answer. Each code works once.
  const unanswered = useRef("");

  const form = useForm({
    initialValues: { email: "", password: "", code: "" },
    validate,
    onSubmit: async ({ email, password, code }, { setErrors }) => {
      setFailure(null);
      const { data, error } = await publicClient.login({
        email: email.trim().toLowerCase(),
        password,
        ...(code.trim() && { code: signInCode(code) }),
      });
      if (error?.field === "code") {
        // The password was right: a missing code is not a failure.
        setAsksCode(true);
        if (!asksCode) return;
        const mayBeUsed = code !== "" && code === unanswered.current;
        const refused = mayBeUsed ? messages.codeUsedUp : error.detail;
        setErrors({ code: refused ?? messages.loginFailed });
      } else if (error) {
        if (mayHaveArrived(error)) unanswered.current = code;
        setFailure(reason(error));
        if (isAboutLogin(error)) dispatch(errorToast(messages.loginFailed));
      } else if (data.success) {
        rememberUser({ dispatch }, data.user);
        dispatch(successToast(messages.loggedIn));
        await new Promise((resolve) => setTimeout(resolve, REDIRECT_DELAY_MS));
        await navigate(takeReturnTo());
        // The page asked who is signed in, and led back here.
        if (await dispatch(isNobodySignedIn)) {
          const { error } = await publicClient.currentUser();
          const text = error?.status === 401 ? cookiesBlocked : (error?.detail ?? messages.network);
          setFailure(text);
          dispatch(errorToast(text));
        }
      }
    },
  });

  return (
    <Form form={form} className="flex flex-col gap-5">
      {failure && <Alert>{failure}</Alert>}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        {...formikField(form, "email")}
      />
      <div className="flex flex-col gap-2">
        <PasswordField
          label="Password"
          autoComplete="current-password"
          {...formikField(form, "password")}
        />
        <Link
          to={paths.forgotPassword}
          aria-label="Forgot password"
          className={`self-end text-sm ${textLinkStyles}`}
        >
          Forgot
        </Link>
      </div>
      {asksCode && (
        <CodeField
          {...formikField(form, "code")}
          onSwitch={() => form.resetForm({ values: { ...form.values, code: "" } })}
        />
      )}
      <Button
        type="submit"
        busy={form.isSubmitting}
        disabled={failure === cookiesBlocked}
        className="w-full"
      >
        Sign in
      </Button>
    </Form>
  );
}

const isNobodySignedIn: Thunk<boolean> = async (_, getState) =>
  selectCurrentUser(getState()) === null;

/** Returns the error shown at the form: the server does not say whether the password was wrong. */
function reason({ status, detail }: ApiError): string {
  if (status === 0) return messages.network;
  return (status === 401 ? null : detail) ?? messages.loginFailed;
}

/**
 * Whether the failure is about the credentials, not about the connection or another reason given by
 * the server.
 */
const isAboutLogin = (error: ApiError): boolean =>
  error.status === 401 || (error.status !== 0 && !isExplained(error));
