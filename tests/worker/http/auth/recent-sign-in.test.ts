/** The profile after a sign-in that is not recent: it offers to sign in again, and returns. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AccountStore } from "#src/core/ports/accounts-port.ts";
import {
  createMembers,
  ORIGIN,
  OWN_PAGE,
  type Proof,
  type TestMembers,
} from "#support/accounts/members.ts";
import { createMemoryAccounts } from "#support/accounts/memory-accounts.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
const HOUR_MS = 3_600_000;

let members: TestMembers;
let registry: AccountStore;
let proof: Proof;
let code: string;
let nowMs: number;

beforeAll(async () => {
  members = await createMembers();
  const viewer = await members.invite("viewer");
  proof = viewer.proof;
  const { secrets = [] } = await members.change(viewer.actor, { do: "new-recovery-codes" });
  code = secrets[0] ?? "";
  nowMs = readNowMs() + HOUR_MS;
  const state = await members.registry.readCopy();
  registry = createMemoryAccounts(members.registry, { state, nowMs: () => nowMs });
});
afterAll(() => emptyStore());

function visitProfile(
  path: string,
  { headers = {}, body }: { headers?: Proof; body?: string } = {},
) {
  return visit(path, {
    origin: ORIGIN,
    redirect: "manual",
    services: { ...members.services, registry, nowMs: () => nowMs },
    headers: { accept: "text/html", ...proof, ...(body !== undefined && OWN_PAGE), ...headers },
    ...(body !== undefined && { method: "POST", body }),
  });
}

const LINK = 'href="/sign-in?again=1&amp;returnTo=%2Fprofile"';

it("the profile has a link to sign in again in place of the forms", async () => {
  const { body } = await visitProfile("/profile?streaming=off");
  expect(body.split(LINK).length - 1).toBe(2);
  expect(body).not.toContain("Add passkey</button>");
  expect(body).not.toContain('id="new-codes"');
});

it("a form that is submitted too late gets the page with the reason and the link", async () => {
  const { response, body } = await visitProfile("/profile?streaming=off", {
    headers: FORM,
    body: "do=new-recovery-codes",
  });
  expect(response.status).toBe(401);
  expect(body).toContain("Sign in again to change your passkeys or recovery codes.");
  expect(body).toContain(LINK);
});

it.each([
  ["/profile", '{"do":"new-recovery-codes"}'],
  ["/profile/passkeys/options", "{}"],
])("an API client gets 401 as in RFC 9470: %s", async (path, body) => {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const { response, body: text } = await visitProfile(path, { headers, body });
  expect([response.status, JSON.parse(text).reason]).toEqual([401, "sign-in-again"]);
  expect(response.headers.get("www-authenticate")).toContain("insufficient_user_authentication");
  expect(response.headers.get("set-cookie")).toBeNull();
});

it("signing in again returns to the profile, which then has the forms", async () => {
  const page = await visitProfile("/sign-in?again=1&returnTo=%2Fprofile&streaming=off");
  expect(page.body).toContain("Sign in again</h1>");
  expect(page.body).toContain("Sign in with a passkey");
  expect(page.body).toContain('action="/sign-in?again=1&amp;returnTo=%2Fprofile"');
  const { response } = await visitProfile("/sign-in?again=1&returnTo=%2Fprofile", {
    headers: FORM,
    body: `code=${code}`,
  });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/profile"]);
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  const { body } = await visitProfile("/profile?streaming=off", { headers: { cookie } });
  expect(body).toContain('id="new-codes"');
  expect(body).not.toContain(LINK);
});
