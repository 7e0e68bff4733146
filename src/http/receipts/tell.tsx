/**
 * Visitors who want to be told once, when the error of a receipt is fixed: `POST /e/<digest>/tell`
 * asks, and `/e/<digest>/confirm` is the link of the mail that follows. Public, with limits. No
 * response reveals whether an address is known, or whether the issue exists.
 */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import { isMailAddress } from "../../core/alerts/destinations/email.ts";
import { toSenderNetwork } from "../../core/client-network.ts";
import { parseDigest } from "../../core/grouping/parse-digest.ts";
import type { VisitorLink } from "../../core/ports/alerts-port.ts";
import type { Digest } from "../../core/report.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { findVisitor } from "../../core/visitors/visitor-language.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import {
  VisitorLinkPage,
  type VisitorLinkPageState,
  WITHDRAW,
} from "../../ui/receipt/visitor-link-page.tsx";
import { toReceiptUrl } from "../../ui/urls/receipt-urls.ts";
import type { AppContext, ProjectServices } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { Failure } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { isJsonClient, readFormBody } from "../forms/form-body.ts";
import { toSentText } from "../forms/validators.ts";
import { admitVisitor } from "../ingest/admission.ts";
import { toProjectUrl } from "../project-url.ts";
import { sendPage } from "../send-page.tsx";
import { respondOrUnavailable, runOrUnavailable } from "../unavailable.ts";
import { findReceiptIssue } from "./find-receipt-issue.ts";
import { sendReceiptPage } from "./receipt.tsx";

/** Too many requests of a day. */
const FULL: Failure = { reason: "too-many-requests", retryAfterSeconds: 86_400 };

/** `GET /e/<digest>/tell`, as after a reload of an answer: redirects to the receipt. */
export function redirectToForm(c: AppContext): Response {
  return c.redirect(toProjectUrl(c, toReceiptUrl(c.req.param("digest") ?? "")), 302);
}

/**
 * 303 to the receipt, which says that a mail follows; JSON: 202 `{"asked":true}`. Failures (429,
 * 400, 403 for another site, 503) are shown on the receipt with the address still in the form; JSON
 * clients get JSON. 404 if the deployment cannot send mail.
 */
export async function askToBeTold(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  if (!c.get("services").config.hasMail) return c.notFound();
  const rawCode = c.req.param("digest") ?? "";
  const parsed = parseDigest(rawCode);
  const digest = parsed.ok ? parsed.value : null;
  const asked = await ask(c, digest);
  if (asked.ok)
    return isJsonClient(c)
      ? c.json({ asked: true }, 202)
      : c.redirect(toProjectUrl(c, `${toReceiptUrl(digest ?? rawCode)}?asked=1`), 303);
  const { failure, enteredAddress, isFull } = asked;
  const refused = toFailureResponse(failure);
  if (isJsonClient(c)) return refused;
  const { texts } = findVisitor(c.req.header("accept-language"));
  return sendReceiptPage(c, rawCode, {
    failureResponse: refused,
    ...(isFull && { isLookedUp: true }),
    tell: { isAsked: false, error: texts.tellFailed, ...(enteredAddress && { enteredAddress }) },
  });
}

type AskResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly failure: Failure;
      readonly enteredAddress?: string;
      /** Too many wait, in the day or at all: the receipt itself can be shown. */
      readonly isFull?: boolean;
    };

async function ask(c: AppContext, digest: Digest | null): Promise<AskResult> {
  const admission = await admitVisitor(c.get("services"), c.req.raw);
  const fields = await readFormBody(c.req.raw);
  const address = fields.ok ? toSentText(fields.value.get("address")).trim() : "";
  // The form shows it again.
  const enteredAddress = address.slice(0, alertLimits.maxAddressChars);
  if (!admission.ok) return { ok: false, failure: admission, enteredAddress };
  if (!fields.ok) return { ok: false, failure: fields };
  if (!isMailAddress(address)) {
    const failure = { reason: "bad-form", expected: "an email address" } as const;
    return { ok: false, failure, enteredAddress };
  }
  const stored = await runOrUnavailable(c, () => store(c, digest, address));
  if (stored.ok) return stored;
  const isFull = stored.reason === FULL.reason;
  return { ok: false, failure: stored, enteredAddress, isFull };
}

/** Stores the request if its digest has an issue; the result does not reveal whether it has. */
async function store(
  c: AppContext,
  digest: Digest | null,
  address: string,
): Promise<Result<null, Failure>> {
  const found = digest === null ? null : await findReceiptIssue(c, digest);
  if (digest === null || found === null) return ok(null);
  const isTaken = await found.services.alerts.askForVisitor({
    ...{ digest, issue: found.issue.digest, address },
    network: toSenderNetwork(c.req.header("cf-connecting-ip") ?? ""),
    language: findVisitor(c.req.header("accept-language")).language,
    path: toProjectUrl(c, toReceiptUrl(digest)),
    origin: new URL(c.req.url).origin,
  });
  return isTaken ? ok(null) : fail(FULL);
}

/**
 * Serves the page of a mailed link: it asks for a confirmation, or offers to end the request. It
 * changes nothing, because programs open the links of mails. 404 for a link that was changed or has
 * expired, 429 over the rate limit of receipts.
 */
export function serveVisitorLink(c: AppContext): Promise<Response> {
  return respondToLink(c, c.req.query("token") ?? "", (alerts, link) =>
    alerts.readVisitorLink(link),
  );
}

/**
 * `POST`: the visitor waits for the fix from now on; with `do=withdraw`, the request ends and its
 * address is deleted. 403 for a form of another site.
 */
export async function answerVisitorLink(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const fields = await readFormBody(c.req.raw);
  if (!fields.ok) return toFailureResponse(fields);
  const isWithdrawal = fields.value.get("do") === WITHDRAW;
  return respondToLink(c, toSentText(fields.value.get("token")), async (alerts, link) => {
    if (isWithdrawal) return (await alerts.withdrawVisitor(link)) ? "withdrawn" : null;
    return (await alerts.confirmVisitor(link)) ? "confirmed" : null;
  });
}

async function respondToLink(
  c: AppContext,
  token: string,
  openLink: (
    alerts: ProjectServices["alerts"],
    link: VisitorLink,
  ) => Promise<VisitorLinkPageState | null>,
): Promise<Response> {
  const admission = await admitVisitor(c.get("services"), c.req.raw);
  if (!admission.ok) return toFailureResponse(admission);
  const parsed = parseDigest(c.req.param("digest") ?? "");
  if (!parsed.ok || token === "") return sendLinkPage(c, "", "", "invalid");
  const link = { digest: parsed.value, token };
  return respondOrUnavailable(c, async () => {
    const found = await findReceiptIssue(c, link.digest);
    const state = found && (await openLink(found.services.alerts, link));
    return sendLinkPage(c, link.digest, token, state ?? "invalid");
  });
}

function sendLinkPage(
  c: AppContext,
  digest: string,
  token: string,
  state: VisitorLinkPageState,
): Promise<Response> {
  const visitor = findVisitor(c.req.header("accept-language"));
  return sendPage(c, {
    title: state === "invalid" ? visitor.texts.tellExpired : visitor.texts.tell,
    visitor,
    route: "/e/:digest/confirm",
    ...(state === "invalid" && { status: 404 }),
    content: (
      <Layout isSignedIn={false}>
        <VisitorLinkPage state={state} digest={digest} token={token} visitor={visitor} />
      </Layout>
    ),
  });
}
