import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { respondWith } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { failures, successes } from "./rows/messages";
import {
  changePassword,
  changePhoto,
  logIn,
  logOutOfDashboard,
  logOutOfProfile,
  register,
  saveProfile,
  sendResetLink,
} from "./testing/accountSteps";
import { eachRow } from "./testing/table";
import { expectFailureToast, expectSuccessToast, type Situation } from "./testing/toasts";
import type { Reply } from "./testing/wire";

const refused: Reply = [503];
const done: Reply = [200, { success: true }];

const failing: Record<keyof typeof failures.account, Situation> = {
  "Login failure": { call: "POST /api/auth/login", reply: [401], make: logIn },
  "Register failure": { call: "POST /api/auth/register", reply: [409], make: register },
  "Forgot password, non-ok: the server message": {
    call: "POST /api/auth/forgot-password",
    reply: [429, { message: "Slow down." }],
    make: sendResetLink,
  },
  "Forgot password, non-ok": {
    call: "POST /api/auth/forgot-password",
    reply: refused,
    make: sendResetLink,
  },
  "Forgot password, network": {
    call: "POST /api/auth/forgot-password",
    reply: "no answer",
    make: sendResetLink,
  },
  "Logout failure (dashboard)": {
    call: "POST /api/auth/logout",
    reply: refused,
    make: logOutOfDashboard,
  },
  "Logout failure (profile)": {
    call: "POST /api/auth/logout",
    reply: "no answer",
    make: logOutOfProfile,
  },
  "Profile update failure": { call: "PUT /api/profile", reply: refused, make: saveProfile },
  "Profile image failure": { call: "POST /api/profile/image", reply: [500], make: changePhoto },
  "Password change failure: the server message": {
    call: "POST /api/auth/change-password",
    reply: [400, { message: "Current password is incorrect", field: "currentPassword" }],
    make: changePassword,
  },
  "Password change failure": {
    call: "POST /api/auth/change-password",
    reply: refused,
    make: changePassword,
    also: () => void expect(screen.getByLabelText("New Password")).toHaveValue("secret"),
  },
};

eachRow(
  "failure messages",
  Object.keys(failures.account) as (keyof typeof failures.account)[],
  failing,
  expectFailureToast(failures.account),
);

const succeeding: Record<keyof typeof successes.account, Situation> = {
  Login: {
    call: "POST /api/auth/login",
    reply: [200, { success: true, user: aUser() }],
    make: logIn,
  },
  Register: { call: "POST /api/auth/register", reply: [201, aUser()], make: register },
  "Forgot password": {
    call: "POST /api/auth/forgot-password",
    reply: done,
    make: sendResetLink,
    also: async () => void (await screen.findByText("ada@example.org")),
  },
  "Logout (dashboard)": { call: "POST /api/auth/logout", reply: done, make: logOutOfDashboard },
  "Logout (profile)": { call: "POST /api/auth/logout", reply: done, make: logOutOfProfile },
  Profile: {
    call: "PUT /api/profile",
    reply: [200, aUser({ name: "Ada King" })],
    make: saveProfile,
  },
  Image: { call: "POST /api/profile/image", reply: [200, aUser()], make: changePhoto },
  Password: {
    given: () => void respondWith("get", "/api/ideas", 200, []),
    call: "POST /api/auth/change-password",
    reply: done,
    make: changePassword,
  },
};

eachRow(
  "success messages",
  Object.keys(successes.account) as (keyof typeof successes.account)[],
  succeeding,
  expectSuccessToast(successes.account),
);
