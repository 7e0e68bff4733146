/**
 * What nobody has reported (yet): a page that says why it may be unknown, with status 404. A well-formed digest is watched
 * for a moment, because it may be on its way; the answer streams in.
 */
import { summarizeIssue } from "../../../core/issue/aggregate-report.ts";
import type { IssueSummary } from "../../../core/issue/issue.ts";
import type { ProjectStore } from "../../../core/ports/storage-ports.ts";
import { formatTitle } from "../../../core/report/title.ts";
import type { Digest } from "../../../core/report.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { type UnknownCode, UnknownCodePage } from "../../../ui/lookup/unknown-code-page.tsx";
import type { AppContext } from "../../context.ts";
import { ignoreRejection, sendPage, wantsNonStreaming } from "../../send-page.tsx";
import type { LookupResult } from "./look-up.ts";

/** Pauses between looks at the index: what is on its way is there within a second, a slow sender's within five. */
const POLL_DELAYS_MS = [250, 500, 750, 1_500, 2_000];
/** A page that is sent whole waits for all of it. */
const NON_STREAMING_POLL_DELAYS_MS = [250, 500];

/** The 404 page of a lookup that led nowhere. */
export async function sendUnknownCodePage(
  c: AppContext,
  {
    query,
    lookup,
    route,
  }: { readonly query: string; readonly lookup: LookupResult; readonly route: string },
): Promise<Response> {
  const { projectStore } = c.get("services");
  const reading = await explainCode(projectStore, query, lookup);
  const delaysMs = wantsNonStreaming(c) ? NON_STREAMING_POLL_DELAYS_MS : POLL_DELAYS_MS;
  const awaitedIssue =
    reading.kind === "awaiting"
      ? awaitIssue(projectStore, reading.digest, delaysMs)
      : Promise.resolve(null);
  return sendPage(c, {
    title: "Not known",
    route,
    status: 404,
    content: (
      <Layout isSignedIn>
        <UnknownCodePage
          code={reading}
          awaitedIssue={ignoreRejection(awaitedIssue)}
          query={query}
        />
      </Layout>
    ),
  });
}

/** Why the best code in the text led nowhere. */
async function explainCode(
  projectStore: ProjectStore,
  query: string,
  { codes }: LookupResult,
): Promise<UnknownCode> {
  const [code] = codes;
  switch (code?.kind) {
    case undefined:
      return { kind: "nothing", query };
    case "digest":
      return { kind: "awaiting", digest: code.digest };
    case "alias":
      return { kind: "alias", alias: code.alias };
    case "report-id":
      return { kind: "report-id", id: code.id };
    case "control-flow":
      return { kind: "control-flow", name: code.name };
    case "misread": {
      const likely = await Promise.all(
        code.corrections.map(async (misreading) => {
          const issue = await projectStore.getFreshIssue(misreading.digest);
          return {
            ...misreading,
            isKnown: issue !== null,
            ...(issue !== null && { title: formatTitle(issue) }),
          };
        }),
      );
      // A slip that no eye makes is offered when it leads to an error, or when there is no other.
      const plausible = likely.filter(
        (correction) => correction.isConfusable || correction.isKnown,
      );
      return {
        kind: "misread",
        input: code.read,
        corrections: plausible.length > 0 ? plausible : likely,
      };
    }
  }
}

/** Looks again until the issue is there or the pauses are used up. */
async function awaitIssue(
  projectStore: ProjectStore,
  digest: Digest,
  pausesMs: readonly number[],
): Promise<IssueSummary | null> {
  for (const pauseMs of pausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const issue = await projectStore.getFreshIssue(digest);
    if (issue !== null) return summarizeIssue(issue);
  }
  return null;
}
