/**
 * `/device`: a person types the code that a program on another device shows, and allows or denies
 * it (RFC 8628 § 3.3).
 */
import { parseConsent } from "../../core/oauth/consent-form.ts";
import { OAUTH_PATHS } from "../../core/oauth/endpoints.ts";
import type { DeviceCode } from "../../core/oauth/pending-codes.ts";
import { parseUserCode } from "../../core/oauth/user-code.ts";
import type { Result } from "../../core/result.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { ConsentPage } from "../../ui/oauth/consent-page.tsx";
import { DecidedPage, UserCodePage } from "../../ui/oauth/device-pages.tsx";
import type { AppContext } from "../context.ts";
import { describeFailureText, toFailureResponse } from "../failure-response.ts";
import { type Failure, RATE_LIMITED } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { isJsonClient, readFormBody } from "../forms/form-body.ts";
import { sendPage, wantsJson } from "../send-page.tsx";
import { runOrUnavailable } from "../unavailable.ts";
import { findOfferedAccess } from "./consent.ts";

const TITLE = "Connect a device";
const ROUTE = OAUTH_PATHS.device;

/** `GET /device?user_code=…`: asks for the code, or shows what waits with it. */
export async function serveDevice(c: AppContext): Promise<Response> {
  const typed = c.req.query("user_code");
  if (typed === undefined || typed === "") return sendCodePage(c);
  const found = await findDevice(c, typed);
  return found.ok ? sendDevicePage(c, found.value) : rejectCode(c, found, typed);
}

/**
 * `POST /device`: `user_code`, `decision` (`allow` or `deny`), and the fields of a consent. A page
 * that says what was decided; JSON: `{"decision"}`.
 */
export async function decideDevice(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const fields = await readFormBody(c.req.raw);
  if (!fields.ok) return toFailureResponse(fields);
  const { user_code: typed, ...others } = Object.fromEntries(fields.value);
  const found = await findDevice(c, typed);
  if (!found.ok) return rejectCode(c, found, typed);
  const { code, userCode } = found.value;
  const parsed = parseConsent(toRequest(code), others);
  if (!parsed.ok)
    return rejectForm(c, found.value, { reason: "bad-settings", expected: parsed.expected });
  const decided = await runOrUnavailable(
    c,
    () =>
      c
        .get("services")
        .registry.oauth.decideDevice(c.get("principal").actor, userCode, parsed.value),
    "registry",
  );
  if (!decided.ok)
    return decided.reason === "unknown-user-code"
      ? rejectCode(c, decided, typed)
      : rejectForm(c, found.value, decided);
  const isAllowed = parsed.value !== null;
  if (isJsonClient(c)) return c.json({ decision: isAllowed ? "allow" : "deny" });
  return sendPage(c, {
    title: TITLE,
    route: ROUTE,
    content: (
      <Layout isSignedIn>
        <DecidedPage isAllowed={isAllowed} name={code.clientName} />
      </Layout>
    ),
  });
}

interface FoundDevice {
  readonly code: DeviceCode;
  readonly userCode: string;
}

/** Attempts are limited by person: here by the minute, and in the registry for each ten minutes. */
async function findDevice(c: AppContext, typed: unknown): Promise<Result<FoundDevice, Failure>> {
  const { limiters, registry } = c.get("services");
  const { actor, person } = c.get("principal");
  if (!(await limiters.signIn(`device ${person?.id}`))) return { ok: false, ...RATE_LIMITED };
  const userCode = parseUserCode(typed);
  if (userCode === undefined || person === undefined)
    return { ok: false, reason: "unknown-user-code" };
  return runOrUnavailable(
    c,
    async () => {
      const found = await registry.oauth.findDevice(actor, userCode);
      return found.ok ? { ok: true, value: { code: found.value, userCode } } : found;
    },
    "registry",
  );
}

function toRequest({ client: id, clientName: name, resource, role, mayUpload }: DeviceCode) {
  return { client: { id, name }, resource, role, mayUpload };
}

function rejectCode(c: AppContext, failure: Failure, typed: unknown): Response | Promise<Response> {
  const response = toFailureResponse(failure);
  if (isJsonClient(c)) return response;
  const code = typeof typed === "string" ? typed.slice(0, 40) : "";
  return sendCodePage(c, { status: response.status, code, error: describeFailureText(failure) });
}

function rejectForm(
  c: AppContext,
  found: FoundDevice,
  failure: Failure,
): Response | Promise<Response> {
  const response = toFailureResponse(failure);
  if (isJsonClient(c)) return response;
  return sendDevicePage(c, found, {
    status: response.status,
    error: describeFailureText(failure),
  });
}

function sendCodePage(
  c: AppContext,
  shown: { readonly status?: number; readonly code?: string; readonly error?: string } = {},
): Promise<Response> {
  const { status, code = "", error } = shown;
  return sendPage(c, {
    title: TITLE,
    route: ROUTE,
    status,
    content: (
      <Layout isSignedIn>
        <UserCodePage code={code} error={error} />
      </Layout>
    ),
  });
}

function sendDevicePage(
  c: AppContext,
  { code, userCode }: FoundDevice,
  { status, error }: { readonly status?: number; readonly error?: string } = {},
): Response | Promise<Response> {
  const { client, resource, role, mayUpload } = toRequest(code);
  const { address, createdMs } = code;
  if (wantsJson(c)) return c.json({ client, role, address, createdMs });
  const offered = findOfferedAccess(c, { resource, role, mayUpload });
  if (offered === null) return rejectCode(c, { reason: "no-such-project" }, userCode);
  const nowMs = c.get("services").nowMs();
  return sendPage(c, {
    title: TITLE,
    route: ROUTE,
    status,
    content: (
      <Layout isSignedIn>
        <ConsentPage
          client={client}
          device={{ userCode, address, createdMs, nowMs }}
          isForMcp={resource.kind === "mcp"}
          offered={offered}
          action={OAUTH_PATHS.device}
          hidden={{ user_code: userCode }}
          error={error}
        />
      </Layout>
    ),
  });
}
