/**
 * The response for a code without an issue in this project. If one issue of the person's other
 * projects has it, a redirect; if several have, a page with a choice; otherwise the 404 page with
 * the likely reason. The report of a code may not have arrived yet: the page listens for it. For
 * browsers without scripts, the response waits a little.
 */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import type { LookupCode } from "../../../core/lookup/lookup-code.ts";
import { formatTitle } from "../../../core/report/title.ts";
import {
  findArrived,
  type LookupResult,
  lookUpInOtherProjects,
  type OtherProjectsResult,
  tellCode,
} from "../../../operations/lookup.ts";
import type { OperationServices } from "../../../operations/operation.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { OtherProjectsPage } from "../../../ui/lookup/other-projects.tsx";
import {
  getAwaitedCode,
  type UnknownCode,
  UnknownCodePage,
} from "../../../ui/lookup/unknown-code-page.tsx";
import { abbreviate } from "../../../ui/parts/long-text.tsx";
import { toLookupUrl } from "../../../ui/urls/lookup-urls.ts";
import type { AppContext } from "../../context.ts";
import { addProjectUrls } from "../../issue-urls.ts";
import { toCall } from "../../operation-call.ts";
import { isSwap, sendPage, wantsNonStreaming } from "../../send-page.tsx";

/** Delays before further lookups for browsers without scripts: most reports arrive meanwhile. */
const DELAYS_MS = [250, 500, 750, 1_500];

/** Codes in the title of the tab are cut. */
const TITLE_CHARS = 40;

/** Sends the redirect, the choice or the 404 page of a lookup without matches. */
export async function sendUnknownCodePage(
  c: AppContext,
  { query, lookup, route }: { query: string; lookup: LookupResult; route: string },
): Promise<Response> {
  const { projectStore, nowMs } = c.get("services");
  const { codes, guesses = [] } = lookup;
  const others = await lookUpInOtherProjects(toCall(c), lookup);
  const { found } = addProjectUrls(others);
  const [first, ...further] = found.flatMap(({ matches }) => matches);
  // The page offers the digests that a misread one may have been.
  const misread = [...codes, ...guesses].find((code) => isMisreadAs(code, listMatches(others)));
  if (first !== undefined && further.length === 0 && misread === undefined)
    return c.redirect(toRelativePath(c, first.url), 303);
  if (first !== undefined && misread === undefined) {
    return sendPage(c, {
      title: "Found in other projects",
      route,
      content: (
        <Layout isSignedIn>
          <OtherProjectsPage query={query} found={found} nowMs={nowMs()} />
        </Layout>
      ),
    });
  }
  const code = explainCode(query, misread ?? codes[0], [
    ...(lookup.corrected ?? []),
    ...listMatches(others),
  ]);
  const story = await tellCode(projectStore, codes);
  const told = story && { ...story, nowMs: nowMs() };
  const awaited = getAwaitedCode(code, told);
  if (awaited !== undefined && !canListen(c) && (await waitForReport(projectStore, lookup)))
    return c.redirect(toLookupUrl(query), 303);
  return sendPage(c, {
    title:
      awaited === undefined ? "Unknown code" : `Waiting for ${abbreviate(awaited, TITLE_CHARS)}`,
    route,
    status: 404,
    content: (
      <Layout isSignedIn>
        <UnknownCodePage code={code} told={told} otherProjects={others} query={query} />
      </Layout>
    ),
  });
}

/** True for a misread digest whose corrections are all that was found. */
function isMisreadAs(code: LookupCode, found: readonly IssueSummary[]): boolean {
  if (code.kind !== "misread" || found.length === 0) return false;
  const digests = new Set(code.corrections.map(({ digest }) => digest));
  return found.every(({ digest }) => digests.has(digest));
}

/** Explains why a code has no issue. `known` are issues of digests that it may have meant. */
function explainCode(
  query: string,
  code: LookupCode | undefined,
  known: readonly IssueSummary[],
): UnknownCode {
  switch (code?.kind) {
    case undefined:
      return { kind: "nothing", query };
    case "digest":
      return { kind: "digest", digest: code.digest };
    case "alias":
      return { kind: "alias", alias: code.alias };
    case "report-id":
      return { kind: "report-id", id: code.id };
    case "control-flow":
      return { kind: "control-flow", name: code.name };
    case "request":
      return { kind: "request", id: code.foreign.code };
    case "error-name":
      return { kind: "error-name", name: code.error.name, owner: code.error.owner };
    case "short-id":
    case "person":
      return { kind: "nothing", query };
    case "misread": {
      const likely = code.corrections.map((correction) => {
        const issue = known.find(({ digest }) => digest === correction.digest);
        const title = issue && formatTitle(issue);
        return { ...correction, isKnown: issue !== undefined, title };
      });
      // An unlikely typo is offered only if it leads to an issue or nothing else is known.
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

/** The issues found in other projects; the page of their digest in this one redirects there. */
function listMatches({ found }: OtherProjectsResult): readonly IssueSummary[] {
  return found.flatMap(({ matches }) => matches.map(({ issue }) => issue));
}

/** True if a script of the page will listen: those browsers get streams, or swap pages. */
function canListen(c: AppContext): boolean {
  return isSwap(c) || !wantsNonStreaming(c);
}

/** Looks the codes up until one has an issue; false if none has after the last delay. */
async function waitForReport(
  projectStore: OperationServices["projectStore"],
  { codes }: LookupResult,
): Promise<boolean> {
  for (const delayMs of DELAYS_MS) {
    await scheduler.wait(delayMs);
    const found = await findArrived(projectStore, codes).catch(() => []);
    if (found.length > 0) return true;
  }
  return false;
}

/**
 * The path of a page of another project, relative to the path of the request: `authorize` adds the
 * project of the request to absolute paths.
 */
function toRelativePath(c: AppContext, path: string): string {
  const depth = new URL(c.req.url).pathname.split("/").length - 2;
  return `./${"../".repeat(depth)}${path.slice(1)}`;
}
