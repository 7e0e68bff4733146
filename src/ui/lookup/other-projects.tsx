/** The matches of a lookup in the person's other projects. */
import { use } from "react";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import { namePastedText } from "../../core/lookup/pasted-words.ts";
import { formatTitle } from "../../core/report/title.ts";
import { StateBadge } from "../issues/state-badge.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { LookupForm } from "./lookup-form.tsx";

/** The matches of one project, at most `limits.maxMatchesPerOtherProject`. */
export interface ProjectMatches {
  /** The project's name. */
  readonly name: string;
  readonly matches: readonly { readonly issue: IssueSummary; readonly url: string }[];
}

const TITLE_CHARS = 160;
const QUERY_CHARS = 120;

/** The choice between the issues of several projects. */
export function OtherProjectsPage({
  query,
  found,
  nowMs,
}: {
  query: string;
  found: readonly ProjectMatches[];
  nowMs: number;
}) {
  const names =
    found.length === 1 ? "your other projects" : `${found.length} of your other projects`;
  return (
    <div className="unknown-code-page">
      <header className="page-header">
        <h1>
          <bdi className="query-text">{abbreviate(namePastedText(query), QUERY_CHARS)}</bdi> is
          known in {names}
        </h1>
      </header>
      <OtherProjectMatches found={found} nowMs={nowMs} />
      <section className="lookup-again">
        <h2>Not what you were looking for?</h2>
        <LookupForm query={query} />
      </section>
    </div>
  );
}

/** One section for each project; nothing without matches. */
function OtherProjectMatches({
  found,
  nowMs,
}: {
  found: readonly ProjectMatches[];
  nowMs: number;
}) {
  return found.map(({ name, matches }) => (
    <section className="other-project" key={matches[0]?.url}>
      <h2>
        In <bdi>{name}</bdi>
      </h2>
      <ul>
        {matches.map(({ issue, url }) => (
          <li key={url}>
            <StateBadge state={getCurrentState(issue, nowMs)} isIconOnly />
            {/* Each project is loaded as a new document with a separate live socket. */}
            <a href={url} target="_self">
              <code>{issue.digest}</code>{" "}
              <bdi dir="auto">{abbreviate(formatTitle(issue), TITLE_CHARS)}</bdi>
            </a>
            <span className="muted">
              <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** The matches of a lookup in other projects, streamed; nothing without matches. */
export function AwaitedOtherProjects({
  pending,
  nowMs,
}: {
  readonly pending: Promise<{ readonly found: readonly ProjectMatches[] }>;
  readonly nowMs: number;
}) {
  return <OtherProjectMatches found={use(pending).found} nowMs={nowMs} />;
}

/** How many other projects were searched without a result; nothing if none was. */
export function OtherProjectsNote({
  searched,
  unanswered,
}: {
  searched: number;
  unanswered: number;
}) {
  if (searched === 0) return null;
  return (
    <p>
      Not found in your {searched === 1 ? "other project" : pluralize(searched, "other project")}{" "}
      either.
      {unanswered > 0 &&
        ` ${unanswered === searched ? "None" : `Only ${searched - unanswered}`} of them responded. Try again in a minute.`}
    </p>
  );
}
