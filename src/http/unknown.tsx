/**
 * What nobody has reported (yet): a page that says why it may be unknown, with status 404. A well-formed digest is watched
 * for a moment, because it may be on its way; the answer streams in.
 */
import { summaryOf } from "../core/fold.ts";
import type { IssueSummary } from "../core/issue.ts";
import type { Desk } from "../core/ports.ts";
import type { Digest } from "../core/report.ts";
import { titleOf } from "../core/title.ts";
import { Layout } from "../ui/layout.tsx";
import { type Reading, UnknownPage } from "../ui/pages/unknown-page.tsx";
import type { Found } from "./find.ts";
import { optional, sendPage, wantsWhole } from "./page.tsx";
import type { AppContext } from "./services.ts";

/** Pauses between looks at the index: what is on its way is there within a second, a slow sender's within five. */
const WATCH_PAUSES_MS = [250, 500, 750, 1_500, 2_000];
/** A page that is sent whole waits for all of it. */
const WATCH_PAUSES_WHOLE_MS = [250, 500];

/** The 404 page of a lookup that led nowhere. */
export async function sendUnknown(
  c: AppContext,
  {
    query,
    found,
    route,
  }: { readonly query: string; readonly found: Found; readonly route: string },
): Promise<Response> {
  const { desk } = c.get("services");
  const reading = await readingOf(desk, query, found);
  const pauses = wantsWhole(c) ? WATCH_PAUSES_WHOLE_MS : WATCH_PAUSES_MS;
  const watching =
    reading.kind === "watching" ? watch(desk, reading.digest, pauses) : Promise.resolve(null);
  return sendPage(c, {
    title: "Not known",
    route,
    status: 404,
    content: (
      <Layout deskOpen>
        <UnknownPage reading={reading} watching={optional(watching)} query={query} />
      </Layout>
    ),
  });
}

/** Why the best code in the text led nowhere. */
async function readingOf(desk: Desk, query: string, { codes }: Found): Promise<Reading> {
  const [code] = codes;
  switch (code?.kind) {
    case undefined:
      return { kind: "nothing", query };
    case "digest":
      return { kind: "watching", digest: code.digest };
    case "alias":
      return { kind: "alias", alias: code.alias };
    case "report-id":
      return { kind: "report-id", id: code.id };
    case "control-flow":
      return { kind: "control-flow", name: code.name };
    case "misread": {
      const likely = await Promise.all(
        code.likely.map(async (misreading) => {
          const issue = await desk.issueNow(misreading.digest);
          return {
            ...misreading,
            known: issue !== null,
            ...(issue !== null && { title: titleOf(issue) }),
          };
        }),
      );
      // A slip that no eye makes is offered when it leads to an error, or when there is no other.
      const plausible = likely.filter((one) => one.plausible || one.known);
      return {
        kind: "misread",
        read: code.read,
        likely: plausible.length > 0 ? plausible : likely,
      };
    }
  }
}

/** Looks again until the issue is there or the pauses are used up. */
async function watch(
  desk: Desk,
  digest: Digest,
  pausesMs: readonly number[],
): Promise<IssueSummary | null> {
  for (const pauseMs of pausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const issue = await desk.issueNow(digest);
    if (issue !== null) return summaryOf(issue);
  }
  return null;
}
