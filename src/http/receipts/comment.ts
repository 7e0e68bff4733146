/**
 * `POST /e/<digest>`: a comment from the visitor with the receipt. It becomes a scrubbed feedback
 * report of the digest's issue. Public, with limits of rate and size. The response does not reveal
 * whether the issue exists.
 */

import { parseDigest } from "../../core/grouping/parse-digest.ts";
import { limits } from "../../core/limits.ts";
import { processReport } from "../../core/processing/process-report.ts";
import type { Digest, ParsedReport } from "../../core/report.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { findVisitor } from "../../core/visitors/visitor-language.ts";
import { toReceiptUrl } from "../../ui/urls/receipt-urls.ts";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { Failure } from "../failures.ts";
import { isSameOrigin } from "../forms/csrf.ts";
import { isJsonClient, readFormBody } from "../forms/form-body.ts";
import { admitVisitor } from "../ingest/admission.ts";
import { toProjectUrl } from "../project-url.ts";
import { runOrUnavailable } from "../unavailable.ts";
import { findReceiptIssue } from "./find-receipt-issue.ts";
import { sendReceiptPage } from "./receipt.tsx";

/**
 * 303 to the receipt, which thanks the person; JSON: 202 `{"sent":true}`. Failures (429, 400, 403
 * for another site, 503) are shown on the receipt with the text still in the form; JSON clients get
 * JSON.
 */
export async function submitReceiptComment(c: AppContext): Promise<Response> {
  const rawCode = c.req.param("digest") ?? "";
  const parsedDigest = parseDigest(rawCode);
  const submission = await submitComment(c, parsedDigest.ok ? parsedDigest.value : null);
  if (submission.ok) {
    return isJsonClient(c)
      ? c.json({ sent: true }, 202)
      : c.redirect(
          toProjectUrl(c, `${toReceiptUrl(parsedDigest.ok ? parsedDigest.value : rawCode)}?sent=1`),
          303,
        );
  }
  const refused = toFailureResponse(submission.failure);
  // A page of Errata must not show content from another site's form.
  if (isJsonClient(c) || submission.failure.reason === "cross-site") return refused;
  const error = explainFailure(c, submission.failure.reason);
  return sendReceiptPage(c, rawCode, {
    failureResponse: refused,
    comment: { isSent: false, error, enteredText: submission.enteredText },
  });
}

/** The sentence for a failure, in the visitor's language. */
function explainFailure(c: AppContext, reason: Failure["reason"]): string {
  const { language, texts } = findVisitor(c.req.header("accept-language"));
  if (reason === "too-many-requests") return texts.tooManyComments;
  if (reason !== "bad-form" && reason !== "too-large") return texts.commentFailed;
  const max = new Intl.NumberFormat(language).format(limits.maxReceiptCommentChars);
  return texts.badComment.replace("{max}", max);
}

type SubmitResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: Failure; readonly enteredText?: string };

async function submitComment(c: AppContext, digest: Digest | null): Promise<SubmitResult> {
  const services = c.get("services");
  if (!isSameOrigin(c.req.raw)) return { ok: false, failure: { reason: "cross-site" } };
  const admission = await admitVisitor(services, c.req.raw);
  const fields = await readFormBody(c.req.raw);
  const rawComment = fields.ok ? fields.value.get("comment") : undefined;
  const enteredText =
    typeof rawComment === "string" ? rawComment.slice(0, limits.maxReceiptCommentChars) : "";
  if (!admission.ok) return { ok: false, failure: admission, enteredText };
  if (!fields.ok) return { ok: false, failure: fields };
  const text = parseComment(rawComment);
  if (!text.ok) return { ok: false, failure: text, enteredText };
  const stored = await storeComment(c, digest, text.value);
  return stored.ok ? stored : { ok: false, failure: stored, enteredText };
}

/** Stores the comment if its digest has an issue; the result does not reveal whether it has. */
async function storeComment(
  c: AppContext,
  digest: Digest | null,
  text: string,
): Promise<Result<null, Failure>> {
  const services = c.get("services");
  const found = await runOrUnavailable(c, async () =>
    ok(digest === null ? null : await findReceiptIssue(c, digest)),
  );
  if (!found.ok) return found;
  if (digest === null || found.value === null) return ok(null);
  try {
    await found.value.services.reportWriter.append([
      processReport(
        createFeedbackReport(c, found.value.issue.digest, text),
        createProcessingOptions(c),
      ),
    ]);
    return ok(null);
  } catch (cause) {
    services.logProblem(cause);
    return fail({ reason: "log-unavailable" });
  }
}

/** The text with line feeds only: browsers count a line end as one character. */
function parseComment(rawComment: unknown): Result<string, Failure> {
  const text = typeof rawComment === "string" ? rawComment.replaceAll("\r\n", "\n").trim() : "";
  const max = limits.maxReceiptCommentChars;
  return text !== "" && text.length <= max
    ? ok(text)
    : fail({ reason: "bad-form", expected: `a comment of 1 to ${max} characters` });
}

function createFeedbackReport(c: AppContext, digest: Digest, message: string): ParsedReport {
  const userAgent = c.req.header("user-agent");
  return {
    kind: "feedback",
    side: "browser",
    format: "reporter",
    type: "Feedback",
    message,
    level: "info",
    frames: [],
    linkedDigest: digest,
    fingerprint: ["feedback", digest],
    // A double click sends the form twice.
    fuzzyDedupeKey: JSON.stringify(["receipt", digest, message]),
    tags: [["from", "receipt"]],
    rayId: c.req.header("cf-ray"),
    request: userAgent === undefined ? undefined : { userAgent },
  };
}

function createProcessingOptions(c: AppContext) {
  const { nowMs, newId, sha256, config } = c.get("services");
  const sender = `${c.req.header("cf-connecting-ip") ?? ""} ${c.req.header("user-agent") ?? ""}`;
  const base = { nowMs: nowMs(), newId, sha256, scrub: config.scrub, sender, userKey: sender };
  return { ...base, trust: "public" } as const;
}
