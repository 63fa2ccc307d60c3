import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { calls } from "./rows/calls";
import {
  arrivesAt,
  changePassword,
  changePhoto,
  logIn,
  logOutOfDashboard,
  register,
  saveProfile,
  sendResetLink,
} from "./testing/accountSteps";
import { type CallRow, checkCall, otherAnswers } from "./testing/calls";
import { expectGone } from "./testing/steps";
import { eachRow } from "./testing/table";

const photo = "/api/files/0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111";
const storedUser = () => JSON.parse(localStorage.getItem("currentUser") ?? "null");

const table: Record<(typeof calls.account)[number], CallRow> = {
  "GET /api/auth/me": {
    to: "/api/auth/me",
    reply: [200, aUser({ profileImage: photo })],
    make: async () => renderRoute("/dashboard"),
    used: async () => {
      expect(await screen.findByText("Hi Ada")).toBeVisible();
      const account = screen.getByRole("button", { name: "Account" });
      expect(account.querySelector("img")).toHaveAttribute("src", photo);
      expect(storedUser()).toEqual(aUser({ profileImage: photo }));
    },
    otherwise: ([401, 403, 500] as const).map((status) => ({
      reply: [status, { message: "no" }],
      shows: async (app) => {
        await arrivesAt(app, "/login");
        await waitFor(() => expect(storedUser()).toBeNull());
      },
    })),
  },
  "POST /api/auth/login": {
    to: "/api/auth/login",
    json: { email: "ada@example.org", password: "secret" },
    reply: [200, { success: true, user: aUser() }],
    make: logIn,
    used: async (app) => {
      await waitFor(() => expect(storedUser()).toEqual(aUser()));
      await arrivesAt(app, "/dashboard");
    },
    otherwise: [
      {
        reply: [200, { success: false, user: aUser() }],
        shows: async (app) => {
          const button = screen.getByRole("button", { name: "Sign in" });
          await waitFor(() => expect(button).not.toHaveAttribute("aria-busy"));
          expect(app.path()).toBe("/login");
          expect(storedUser()).toBeNull();
          expect(app.store.getState().toast.current).toBeNull();
        },
      },
    ],
  },
  "POST /api/auth/register": {
    to: "/api/auth/register",
    json: { name: "Ada Lovelace", email: "ada@example.org", password: "secret" },
    reply: [201],
    make: register,
    used: (app) => arrivesAt(app, "/login"),
  },
  "POST /api/auth/forgot-password": {
    to: "/api/auth/forgot-password",
    json: { email: "ada@example.org" },
    reply: [200, { success: true }],
    make: sendResetLink,
    used: async () => {
      expect(await screen.findByRole("heading", { name: "Check Your Email" })).toBeVisible();
    },
  },
  "POST /api/auth/logout": {
    to: "/api/auth/logout",
    json: {},
    reply: [200, { success: true }],
    make: logOutOfDashboard,
    used: async (app) => {
      await arrivesAt(app, "/login");
      await waitFor(() => expect(storedUser()).toBeNull());
    },
    otherwise: [
      {
        reply: [503],
        shows: async (app) => {
          await waitFor(() => expect(app.store.getState().toast.current).not.toBeNull());
          expect(app.path()).toBe("/dashboard");
          expect(storedUser()).toEqual(aUser());
        },
      },
    ],
  },
  "POST /api/auth/change-password": {
    to: "/api/auth/change-password",
    json: { currentPassword: "old-secret", newPassword: "secret", confirmPassword: "secret" },
    reply: [200, { success: true }],
    make: changePassword,
    used: () => expectGone("Current Password"),
  },
  "PUT /api/profile": {
    to: "/api/profile",
    json: { name: "Ada King" },
    reply: [200, aUser({ name: "Ada King" })],
    make: saveProfile,
    used: () => waitFor(() => expect(storedUser()).toEqual(aUser({ name: "Ada King" }))),
  },
  "POST /api/profile/image": {
    to: "/api/profile/image",
    form: { image: { file: "image/png" } },
    reply: [200, aUser({ profileImage: photo })],
    make: changePhoto,
    used: () => waitFor(() => expect(storedUser()).toEqual(aUser({ profileImage: photo }))),
  },
};

eachRow("calls", calls.account, table, checkCall);

test.each(otherAnswers(table))("calls, %s: what follows %s", (_call, _reply, run) => run());
