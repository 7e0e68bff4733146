/**
 * The response for a code without an issue in this project. If one issue of the person's other
 * projects has it, a redirect; if several have, a page with a choice; otherwise the 404 page with
 * the likely reason. The report of a code may not have arrived yet: the page listens for it. For
 * browsers without scripts, the response waits a little.
 */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import { formatTitle } from "../../../core/report/title.ts";
import type { Digest } from "../../../core/report.ts";
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
  const { codes, guesses = [], searchText } = lookup;
  const others = await lookUpInOtherProjects(toCall(c), [...codes, ...guesses], searchText);
  const { found } = addProjectUrls(others);
  const [first, ...further] = found.flatMap(({ matches }) => matches);
  const match = further.length === 0 ? first : undefined;
  const isMisread = codes[0]?.kind === "misread";
  if (match !== undefined && !isMisread) return c.redirect(toRelativePath(c, match.url), 303);
  if (match === undefined && found.length > 0 && !isMisread) {
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
  const [code, told] = await Promise.all([
    explainCode(projectStore, query, lookup, others),
    tellCode(projectStore, codes),
  ]);
  const awaited = getAwaitedCode(code);
  if (awaited !== undefined && !canListen(c) && (await waitForReport(projectStore, lookup)))
    return c.redirect(toLookupUrl(query), 303);
  return sendPage(c, {
    title:
      awaited === undefined ? "Unknown code" : `Waiting for ${abbreviate(awaited, TITLE_CHARS)}`,
    route,
    status: 404,
    content: (
      <Layout isSignedIn>
        <UnknownCodePage
          code={code}
          told={told && { ...told, nowMs: nowMs() }}
          otherProjects={others}
          query={query}
        />
      </Layout>
    ),
  });
}

/** Explains why the first code in the text has no issue. */
async function explainCode(
  projectStore: OperationServices["projectStore"],
  query: string,
  { codes }: LookupResult,
  others: OtherProjectsResult,
): Promise<UnknownCode> {
  const [code] = codes;
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
      const likely = await Promise.all(
        code.corrections.map(async (correction) => {
          const issue =
            (await projectStore.getFreshIssue(correction.digest)) ??
            findKnownIssue(others, correction.digest);
          return {
            ...correction,
            isKnown: issue !== null,
            ...(issue !== null && { title: formatTitle(issue) }),
          };
        }),
      );
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

/** The issue of a digest in another project; its page redirects there. */
function findKnownIssue({ found }: OtherProjectsResult, digest: Digest): IssueSummary | null {
  const issues = found.flatMap(({ matches }) => matches.map(({ issue }) => issue));
  return issues.find((issue) => issue.digest === digest) ?? null;
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
