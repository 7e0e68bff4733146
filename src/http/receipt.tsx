/**
 * `/e/<digest>`: the receipt, for whoever was shown the digest. Public, and it tells nothing of the error: known or not,
 * since when, how often this week, whether it is fixed. What else people decided about it is their own business. Nor does the
 * time that an answer takes tell anything, and nobody may ask for many.
 */
import { createMiddleware } from "hono/factory";
import { normaliseAlias } from "../core/alias.ts";
import { cutText } from "../core/cut.ts";
import { readDigest } from "../core/digest.ts";
import { occurrencesOfWeek } from "../core/fold.ts";
import type { Issue } from "../core/issue.ts";
import { asksForReleases, mendingOf } from "../core/mending.ts";
import type { Desk } from "../core/ports.ts";
import { FIRST_PROJECT } from "../core/registry/registry.ts";
import { wasMet } from "../core/release-summary.ts";
import type { Digest } from "../core/report.ts";
import { issueUrl } from "../ui/issue/issue-url.ts";
import { Layout } from "../ui/layout.tsx";
import { type Known, ReceiptPage } from "../ui/pages/receipt-page.tsx";
import type { Comment } from "../ui/receipt/comment-form.tsx";
import { receiptUrl } from "../ui/receipt/receipt-url.ts";
import { admitStranger } from "./admission.ts";
import { failureResponse } from "./failures.ts";
import { here } from "./here.ts";
import { optional, sendPage, wantsJson } from "./page.tsx";
import type { AppContext, AppEnv } from "./services.ts";
import { answerOrUnavailable } from "./unless-away.ts";
import { visitorOf } from "./visitor.ts";

/** An address may be long; a digest has nine characters. */
const MAX_SHOWN_CHARS = 40;

/**
 * Has what follows be about the project that the address names. One that is not there knows nothing, as quickly as any other that knows
 * nothing of a digest.
 */
export const receiptsOf = createMiddleware<AppEnv>(async function receiptsOf(c, next) {
  const project = c.req.param("project");
  if (project !== undefined) {
    if (!/^[1-9]\d{0,8}$/.test(project)) return c.notFound();
    const services = c.get("services");
    const known = await services.registry.copy().catch(() => null);
    const isThere = known?.projects.some(({ id }) => id === project) === true;
    c.set(
      "services",
      isThere ? services.of(project) : { ...services, desk: knowingNothing(services.desk) },
    );
    c.set("project", project);
  }
  await next();
});

function knowingNothing(desk: Desk): Desk {
  return { ...desk, issue: async () => null, issueNow: async () => null, aliases: async () => [] };
}

/**
 * The receipt's page: status 200 whether the digest is known or not, so that the status tells nothing either; 429 for who asked for
 * too many. JSON, by `Accept` or `.json`: `{"known":true,"sinceMs","week","mending"}`, or `{"known":false}`, or 503 while the index is
 * away.
 */
export function receipt(c: AppContext): Promise<Response> {
  return wantsJson(c) ? answerOrUnavailable(c, () => receiptIn(c)) : receiptIn(c);
}

async function receiptIn(c: AppContext): Promise<Response> {
  const services = c.get("services");
  const { desk } = services;
  const asked = (c.req.param("digest") ?? "").replace(/\.json$/, "");
  const reading = readDigest(asked);
  const isJson = wantsJson(c);
  if (!isJson && reading.ok && reading.value !== asked)
    return c.redirect(here(c, receiptUrl(reading.value)), 302);
  const comment = { isSent: c.req.query("sent") !== undefined };
  const admitted = await admitStranger(services, c.req.raw);
  if (!admitted.ok) {
    const refused = failureResponse(admitted);
    return isJson ? refused : sendReceipt(c, asked, { refused, comment });
  }
  if (isJson) {
    const known = await knownOf(c, asked);
    return c.json({ known: known !== null, ...known });
  }
  const led = reading.ok ? undefined : await ledTo(desk, asked);
  if (led === undefined) return sendReceipt(c, asked, { comment });
  return c.redirect(here(c, receiptUrl(led)), 302);
}

/**
 * The page of what was asked for. `refused` is what was not taken, a comment or the question itself, as a program is told it: of too
 * many questions nothing is looked up.
 */
export async function sendReceipt(
  c: AppContext,
  asked: string,
  { refused, comment }: { readonly refused?: Response; readonly comment: Comment },
): Promise<Response> {
  const { nowMs } = c.get("services");
  const reading = readDigest(asked);
  const visitor = await visitorOf(c).catch(() => null);
  const ofProject = c.get("project") ?? FIRST_PROJECT;
  const isMember = visitor?.projects.some(({ project }) => project.id === ofProject) === true;
  const response = await sendPage(c, {
    title: "Receipt",
    route: "/e/:digest",
    status: refused?.status ?? 200,
    content: (
      <Layout deskOpen={false}>
        <ReceiptPage
          digest={cutText(asked, MAX_SHOWN_CHARS)}
          known={refused?.status === 429 ? undefined : optional(knownOf(c, asked))}
          comment={comment}
          deskUrl={reading.ok && isMember ? here(c, issueUrl(reading.value)) : undefined}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  });
  const retryAfter = refused?.headers.get("Retry-After");
  if (retryAfter) response.headers.set("Retry-After", retryAfter);
  return response;
}

/** What is known of what was asked for; null for what is no digest, as for a digest without reports. */
async function knownOf(c: AppContext, asked: string): Promise<Known | null> {
  const { desk, nowMs } = c.get("services");
  const reading = readDigest(asked);
  return reading.ok ? receiptOf(desk, reading.value, nowMs()) : null;
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

/** What a framework shows instead of a digest of ours, a Next.js code, leads to one where it leads to that alone, and it has a receipt. */
async function ledTo(desk: Desk, code: string): Promise<Digest | undefined> {
  const alias = normaliseAlias(code);
  const [only, ...others] = alias === null ? [] : await desk.aliases(alias);
  if (only === undefined || others.length > 0) return undefined;
  return (await issueOfReceipt(desk, only)) === null ? undefined : only;
}

async function receiptOf(desk: Desk, digest: Digest, nowMs: number): Promise<Known | null> {
  const issue = await issueOfReceipt(desk, digest);
  if (issue === null) return null;
  // While the index is away nobody knows which releases are out: a fix is on its way then.
  const releases = asksForReleases(issue) ? await desk.releases().catch(() => []) : [];
  return {
    sinceMs: issue.firstSeenMs,
    week: occurrencesOfWeek(issue, nowMs),
    mending: mendingOf(issue, releases.filter(wasMet), nowMs),
  };
}
