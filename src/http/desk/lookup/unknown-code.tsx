/**
 * The 404 page of a code without an issue, with the likely reason. A valid digest may not have
 * arrived yet: the page polls for it and streams the result.
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

/** Delays between polls: most reports appear within a second, those of slow senders within five. */
const POLL_DELAYS_MS = [250, 500, 750, 1_500, 2_000];
/** Delays for pages that are sent complete. */
const NON_STREAMING_POLL_DELAYS_MS = [250, 500];

/** Sends the 404 page of a lookup without matches. */
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
    title: "Unknown code",
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

/** Explains why the first code in the text has no issue. */
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
      // An unlikely typo is offered only if it leads to an issue, or if there is nothing else.
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

/** Polls until the issue exists or the delays are used up. */
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
