/** Two releases: one sentence, their figures and commits, and the issues that differ. */
import { use } from "react";
import { getDeployMs } from "../../core/artifacts/deploy-moments.ts";
import { comparisonToMarkdown } from "../../core/overview/comparison-to-markdown.ts";
import {
  formatFactor,
  formatRate,
  formatSigned,
  type RatedIssue,
  type ReleaseComparison,
  writeComparisonSentence,
} from "../../core/overview/release-comparison.ts";
import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import { getApplication, getVersion } from "../../core/release/application.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { getShownCrashFree, MIN_RATED_SESSIONS } from "../../core/stats/crash-free.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import { Boundary } from "../failure/boundary.tsx";
import { stripTypePrefix } from "../issues/message-without-type.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { COMPARE_URL, toReleaseUrl } from "../urls/release-urls.ts";
import { formatPercent } from "./crash-free-rate.tsx";
import { CommitItem } from "./release-facts.tsx";

const NAME_CHARS = 40;
const TITLE_CHARS = 120;
const MAX_ROWS = 20;
const MAX_OPTIONS = 50;

interface ComparePageProps {
  readonly base: string;
  readonly release: string;
  readonly all: readonly ReleaseSummary[];
  readonly summaries: readonly [ReleaseSummary | undefined, ReleaseSummary | undefined];
  readonly comparison: ReleaseComparison;
  readonly facts: Promise<readonly ReleaseFacts[]>;
  readonly nowMs: number;
}

/** The page at `/releases/compare/<base>...<release>`. */
export function ComparePage(props: ComparePageProps) {
  const { base, release, comparison, facts, nowMs } = props;
  return (
    <div className="compare-page">
      <header className="compare-header">
        <h1 className="visually-hidden">
          {abbreviate(base, NAME_CHARS)} to {abbreviate(release, NAME_CHARS)}
        </h1>
        <ReleaseChoice {...props} />
        <span>
          <button
            type="button"
            className="copy"
            data-copy={comparisonToMarkdown(base, release, comparison)}
          >
            Copy as Markdown
          </button>{" "}
          <output className="copied" data-copied="" aria-live="polite" />
        </span>
      </header>
      <p className="compare-sentence">
        {writeComparisonSentence(release, comparison).map(({ text, isStrong }) =>
          isStrong ? <b key={text}>{text}</b> : text,
        )}
      </p>
      <div className="compare-top">
        <Figures {...props} />
        <Boundary name="commits" loading={null}>
          <Commits facts={facts} release={release} nowMs={nowMs} />
        </Boundary>
      </div>
      <Columns {...props} />
    </div>
  );
}

/** Two menus with the releases of the application. */
function ReleaseChoice({ base, release, all }: ComparePageProps) {
  const application = getApplication(release);
  const names = all
    .map(({ name }) => name)
    .filter((name) => getApplication(name) === application)
    .slice(0, MAX_OPTIONS);
  const choose = (field: string, label: string, current: string) => (
    <label>
      <span className="visually-hidden">{label}</span>
      <select name={field} id={`compare-${field}`} defaultValue={current}>
        {[...new Set([current, ...names])].map((name) => (
          <option key={name} value={name}>
            {abbreviate(name, NAME_CHARS)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <DeskForm action={COMPARE_URL} method="get" className="compare-choice">
      {choose("base", "From", base)} to {choose("release", "To", release)}{" "}
      <button type="submit" className="text-button">
        Compare
      </button>
    </DeskForm>
  );
}

function Figures({ base, release, summaries, comparison, nowMs }: ComparePageProps) {
  const cells = (toCell: (one: ReleaseSummary) => React.ReactNode) =>
    summaries.map((one, n) => <td key={n}>{one === undefined ? "–" : toCell(one)}</td>);
  const { crashFree } = comparison;
  return (
    <table className="compare-figures">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Figure</span>
          </th>
          {[base, release].map((name) => (
            <th scope="col" key={name}>
              <DeskLink href={toReleaseUrl(name)} title={name}>
                <bdi>{abbreviate(getVersion(name), NAME_CHARS)}</bdi>
              </DeskLink>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">First seen</th>
          {cells(({ firstSeenMs }) =>
            firstSeenMs === undefined ? "–" : <RelativeTime atMs={firstSeenMs} nowMs={nowMs} />,
          )}
        </tr>
        <tr>
          <th scope="row">Sessions, 30 days</th>
          {cells(({ sessions }) => formatNumber(sessions?.started ?? 0))}
        </tr>
        <tr>
          <th scope="row">Crash-free</th>
          {cells((one) => {
            const percent = getShownCrashFree(one);
            return percent === undefined ? "too few sessions" : formatPercent(percent);
          })}
        </tr>
        {crashFree && (
          <tr>
            <th scope="row">Difference</th>
            <td colSpan={2}>
              {formatSigned(crashFree.points)} points, {pluralize(crashFree.sessions, "session")}
            </td>
          </tr>
        )}
        <tr>
          <th scope="row">Issues</th>
          {cells(({ issueCount }) => formatNumber(issueCount))}
        </tr>
      </tbody>
    </table>
  );
}

/** The commits that build tools sent for the newer release. */
function Commits({ facts, release, nowMs }: Pick<ComparePageProps, "facts" | "release" | "nowMs">) {
  const known = use(facts).find(({ version }) => version === release);
  if (known === undefined || known.commits.length + known.deploys.length === 0) return null;
  const deployed = known.deploys.map(getDeployMs).filter((atMs) => atMs !== undefined);
  return (
    <section aria-labelledby="commits">
      <h2 id="commits">
        {known.commits.length === 0 ? "Deployed" : pluralize(known.commits.length, "commit")}
      </h2>
      {deployed.length > 0 && (
        <p className="muted">
          deployed <RelativeTime atMs={Math.max(...deployed)} nowMs={nowMs} />
        </p>
      )}
      <ul className="release-facts">
        {known.commits.slice(0, MAX_ROWS).map((commit) => (
          <CommitItem key={`${commit.repository} ${commit.id}`} commit={commit} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}

function Columns({ base, release, summaries, comparison, nowMs }: ComparePageProps) {
  const { onlyIn, moreOften, lessOften, gone, unchanged, hasRates } = comparison;
  const seenMs = summaries[1]?.firstSeenMs;
  const isEarly = seenMs !== undefined && nowMs - seenMs < DAY_MS;
  const toUnit = (issues: readonly RatedIssue[]) =>
    hasRates && issues.length > 0 ? "in 1,000 sessions" : undefined;
  const unknown = hasRates
    ? undefined
    : `Needs ${formatNumber(MIN_RATED_SESSIONS)} sessions of each release.`;
  return (
    <>
      <div className="diff-cols">
        <Column
          id="only-in"
          name={`Only in ${abbreviate(getVersion(release), NAME_CHARS)}`}
          note={toUnit(onlyIn)}
          issues={onlyIn}
        />
        <Column
          id="more-often"
          name="More often"
          note={unknown ?? toUnit(moreOften)}
          issues={moreOften}
        />
        <Column
          id="less-often"
          name="Less often"
          note={unknown ?? toUnit(lessOften)}
          issues={lessOften}
        />
        <Column
          id="gone"
          name="Gone"
          note={
            isEarly
              ? "may be too early to say"
              : gone.length > 0 && hasRates
                ? "in 1,000 sessions of before"
                : undefined
          }
          issues={gone}
        />
      </div>
      {unchanged.length > 0 && (
        <details className="compare-rest">
          <summary>
            {pluralize(unchanged.length, "issue")}{" "}
            {hasRates ? "as often as before, within the range of chance" : "in both"}
          </summary>
          <Column
            id="unchanged"
            name={`In ${abbreviate(getVersion(base), NAME_CHARS)} and ${abbreviate(getVersion(release), NAME_CHARS)}`}
            note={toUnit(unchanged)}
            issues={unchanged}
          />
        </details>
      )}
    </>
  );
}

function Column({
  id,
  name,
  note,
  issues,
}: {
  id: string;
  name: string;
  note: string | undefined;
  issues: readonly RatedIssue[];
}) {
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>
          <bdi>{name}</bdi>
        </h2>
        <span className="muted">{formatNumber(issues.length)}</span>
      </div>
      {note !== undefined && <p className="diff-note">{note}</p>}
      <ul className="diff-rows">
        {issues.slice(0, MAX_ROWS).map((one) => (
          <li key={one.issue.digest}>
            <DeskLink
              href={toIssueUrl(one.issue.digest)}
              id={`${id}-${one.issue.digest}`}
              data-row-link=""
            >
              <bdi className="type">
                {abbreviate(one.issue.type, TITLE_CHARS) || one.issue.kind}
              </bdi>{" "}
              <span dir="auto">{abbreviate(stripTypePrefix(one.issue), TITLE_CHARS)}</span>
            </DeskLink>
            <small>
              <RateText rated={one} /> <PublicMark trust={one.issue.trust} />
            </small>
          </li>
        ))}
      </ul>
      {issues.length > MAX_ROWS && (
        <p className="diff-note">{formatNumber(issues.length - MAX_ROWS)} more</p>
      )}
    </section>
  );
}

function RateText({ rated }: { rated: RatedIssue }) {
  const { rate, factor, baseCount, releaseCount } = rated;
  if (rate === undefined)
    return (
      <>
        <b>{pluralize(releaseCount > 0 ? releaseCount : baseCount, "time")}</b>
        {releaseCount > 0 && baseCount > 0 && `, ${formatNumber(baseCount)} before`}
      </>
    );
  return (
    <>
      <b>{formatRate(rate)}</b>
      {factor !== undefined && `, was ${formatRate(rate / factor)} (${formatFactor(factor)})`}
      {releaseCount === 0 && " before"}
    </>
  );
}
