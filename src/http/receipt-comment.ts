/**
 * `POST /e/<digest>`: what the person with the receipt was doing, in their own words. It is a report of its own that belongs to
 * the digest's issue, finished and scrubbed like every other. A public form: few of them an address, capped, and the answer is
 * the same, and leaves at the same time, whether there is such an issue or not.
 */

import { readDigest } from "../core/digest.ts";
import { finish } from "../core/finish.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { Digest, Draft } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { figure } from "../ui/figure.tsx";
import { receiptUrl } from "../ui/receipt/receipt-url.ts";
import { admitStranger } from "./admission.ts";
import { type Failure, failureResponse } from "./failures.ts";
import { readFields, readsJson } from "./fields.ts";
import { here } from "./here.ts";
import { issueOfReceipt, sendReceipt } from "./receipt.tsx";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";
import { orUnavailable } from "./unless-away.ts";

/**
 * 303 to the receipt, which says thank you; JSON: 202 `{"sent":true}`. What is refused (429 too many, 400 nothing written or too
 * much, 403 another site's, 503 the log or the index is away) is said on the receipt itself, with the words still in the form; to who reads
 * JSON as JSON.
 */
export async function commentOnReceipt(c: AppContext): Promise<Response> {
  const asked = c.req.param("digest") ?? "";
  const reading = readDigest(asked);
  const taken = await take(c, reading.ok ? reading.value : null);
  if (taken.ok) {
    return readsJson(c)
      ? c.json({ sent: true }, 202)
      : c.redirect(here(c, `${receiptUrl(reading.ok ? reading.value : asked)}?sent=1`), 303);
  }
  const refused = failureResponse(taken.failure);
  // Another site's form is not shown again with what that site had put into it.
  if (readsJson(c) || taken.failure.reason === "cross-site") return refused;
  const problem = PROBLEMS[taken.failure.reason] ?? PROBLEMS.other;
  return sendReceipt(c, asked, {
    refused,
    comment: { isSent: false, ...present({ problem, written: taken.written }) },
  });
}

/** What the person reads, by the reason of a failure. */
const PROBLEMS: Readonly<Record<string, string>> & { readonly other: string } = {
  "too-many-requests": "Those were many comments in a short time. Please try again in a minute.",
  "bad-fields": `Nothing was sent: please write something, in at most ${figure(limits.maxReceiptCommentChars)} characters.`,
  "too-large": `Nothing was sent: please use at most ${figure(limits.maxReceiptCommentChars)} characters.`,
  other: "It could not be taken just now. Your words are still here; please send them again.",
};

type Taken =
  | { readonly ok: true }
  | { readonly ok: false; readonly failure: Failure; readonly written?: string };

async function take(c: AppContext, digest: Digest | null): Promise<Taken> {
  const services = c.get("services");
  if (!isSameOrigin(c.req.raw)) return { ok: false, failure: { reason: "cross-site" } };
  const admitted = await admitStranger(services, c.req.raw);
  const fields = await readFields(c.req.raw);
  const said = fields.ok ? fields.value.get("comment") : undefined;
  const written = typeof said === "string" ? said.slice(0, limits.maxReceiptCommentChars) : "";
  if (!admitted.ok) return { ok: false, failure: admitted, written };
  if (!fields.ok) return { ok: false, failure: fields };
  const text = commentIn(said);
  if (!text.ok) return { ok: false, failure: text, written };
  const kept = await keep(c, digest, text.value);
  return kept.ok ? kept : { ok: false, failure: kept, written };
}

/** Stores the comment where its digest has an issue; nothing is said of whether it has. */
async function keep(
  c: AppContext,
  digest: Digest | null,
  text: string,
): Promise<Result<null, Failure>> {
  const services = c.get("services");
  const issue = await orUnavailable(c, async () =>
    ok(digest === null ? null : await issueOfReceipt(services.desk, digest)),
  );
  if (!issue.ok) return issue;
  if (digest === null || issue.value === null) return ok(null);
  try {
    await services.log.append([finish(draftOf(c, digest, text), factsOf(c))]);
    return ok(null);
  } catch (cause) {
    services.logProblem(cause);
    return fail({ reason: "log-unavailable" });
  }
}

/** The words without the carriage returns that forms put between lines: a browser counts a line's end as one character. */
function commentIn(said: unknown): Result<string, Failure> {
  const text = typeof said === "string" ? said.replaceAll("\r\n", "\n").trim() : "";
  const max = limits.maxReceiptCommentChars;
  return text !== "" && text.length <= max
    ? ok(text)
    : fail({ reason: "bad-fields", expected: `a comment of 1 to ${max} characters` });
}

function draftOf(c: AppContext, digest: Digest, message: string): Draft {
  const userAgent = c.req.header("user-agent");
  return {
    kind: "feedback",
    side: "browser",
    format: "reporter",
    type: "Feedback",
    message,
    level: "info",
    frames: [],
    issueDigest: digest,
    fingerprint: ["feedback", digest],
    // Somebody presses twice.
    sameAbout: JSON.stringify(["receipt", digest, message]),
    tags: [["from", "receipt"]],
    ...present({
      rayId: c.req.header("cf-ray"),
      request: userAgent === undefined ? undefined : { userAgent },
    }),
  };
}

function factsOf(c: AppContext) {
  const { nowMs, mintId, sha256, config } = c.get("services");
  const sender = `${c.req.header("cf-connecting-ip") ?? ""} ${c.req.header("user-agent") ?? ""}`;
  return { nowMs: nowMs(), mintId, sha256, scrub: config.scrub, sender, visitor: sender };
}
