/**
 * `/e/<digest>`: the receipt, for whoever was shown the digest. Public, and it tells nothing of the error: known or not,
 * since when, how often this week, whether it is fixed. What else people decided about it is their own business.
 */
import { normaliseAlias } from "../core/alias.ts";
import { cutText } from "../core/cut.ts";
import { readDigest } from "../core/digest.ts";
import { occurrencesOfWeek } from "../core/fold.ts";
import type { Issue } from "../core/issue.ts";
import { asksForReleases, mendingOf } from "../core/mending.ts";
import type { Desk } from "../core/ports.ts";
import type { Digest } from "../core/report.ts";
import { issueUrl } from "../ui/issue/issue-url.ts";
import { Layout } from "../ui/layout.tsx";
import { type Known, ReceiptPage } from "../ui/pages/receipt-page.tsx";
import type { Comment } from "../ui/receipt/comment-form.tsx";
import { receiptUrl } from "../ui/receipt/receipt-url.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext } from "./services.ts";
import { visitorOf } from "./visitor.ts";

/** An address may be long; a digest has nine characters. */
const MAX_SHOWN_CHARS = 40;

/**
 * The receipt's page: status 200 whether the digest is known or not, so that the status tells nothing either. JSON, by `Accept` or
 * `.json`: `{"known":true,"sinceMs","week","mending"}`, or `{"known":false}`.
 */
export async function receipt(c: AppContext): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const asked = (c.req.param("digest") ?? "").replace(/\.json$/, "");
  const reading = readDigest(asked);
  if (wantsJson(c)) {
    const known = reading.ok ? await receiptOf(desk, reading.value, nowMs()) : null;
    return c.json({ known: known !== null, ...known });
  }
  if (reading.ok && reading.value !== asked) return c.redirect(receiptUrl(reading.value), 302);
  const led = reading.ok ? undefined : await ledTo(desk, asked);
  if (led !== undefined) return c.redirect(receiptUrl(led), 302);
  return sendReceipt(c, asked, { comment: { isSent: c.req.query("sent") !== undefined } });
}

/** The page of what was asked for; `status` and what is said of the comment differ where that was not taken. */
export async function sendReceipt(
  c: AppContext,
  asked: string,
  { status = 200, comment }: { readonly status?: number; readonly comment: Comment },
): Promise<Response> {
  const { desk, nowMs } = c.get("services");
  const reading = readDigest(asked);
  const isMember = (await visitorOf(c).catch(() => null)) !== null;
  // What is no digest has no receipt, and says so on the same page as a digest that nobody has reported.
  const known = reading.ok ? receiptOf(desk, reading.value, nowMs()) : Promise.resolve(null);
  return sendPage(c, {
    title: "Receipt",
    route: "/e/:digest",
    status,
    content: (
      <Layout deskOpen={false}>
        <ReceiptPage
          digest={cutText(asked, MAX_SHOWN_CHARS)}
          known={optional(known)}
          comment={comment}
          deskUrl={reading.ok && isMember ? issueUrl(reading.value) : undefined}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
}

/** False for what a browser alone has reported: it can name any digest. Without the server's report nothing is known. */
function hasReceipt(issue: Issue): boolean {
  return issue.count > 0;
}

/** The issue that a digest names, or the one that it was merged into; null for none, and for what only browsers have reported. */
export async function issueOfReceipt(desk: Desk, digest: Digest): Promise<Issue | null> {
  const issue = await desk.issue(digest);
  if (issue !== null) return hasReceipt(issue) ? issue : null;
  const [only, ...others] = await desk.aliases(digest);
  const led = only === undefined || others.length > 0 ? null : await desk.issueNow(only);
  return led?.merged?.includes(digest) === true ? led : null;
}

/** What a framework shows instead of a digest of ours, a Next.js code, leads to one where it leads to that alone. */
async function ledTo(desk: Desk, code: string): Promise<Digest | undefined> {
  const alias = normaliseAlias(code);
  const [only, ...others] = alias === null ? [] : await desk.aliases(alias);
  return others.length === 0 ? only : undefined;
}

async function receiptOf(desk: Desk, digest: Digest, nowMs: number): Promise<Known | null> {
  const issue = await issueOfReceipt(desk, digest);
  if (issue === null) return null;
  // While the index is away nobody knows which releases are out: a fix is on its way then.
  const releases = asksForReleases(issue) ? await desk.releases().catch(() => []) : [];
  return {
    sinceMs: issue.firstSeenMs,
    week: occurrencesOfWeek(issue, nowMs),
    mending: mendingOf(issue, releases, nowMs),
  };
}
