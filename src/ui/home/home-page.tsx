/**
 * The home page, "this morning": one sentence, a chart of the errors with deploys, what needs a
 * person, and beside it releases, policies and the team.
 */
import { use } from "react";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { IssueList } from "../../core/issue/issue.ts";
import type { OverviewPeriod } from "../../core/overview/error-columns.ts";
import type { SentencePart } from "../../core/overview/morning-sentence.ts";
import type { ProjectOverview, Span } from "../../core/overview/project-overview.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import { HOUR_MS } from "../../core/utc-time.ts";
import { Boundary } from "../failure/boundary.tsx";
import { NoIssuesYet } from "../issues/empty-states.tsx";
import { IssueListTable } from "../issues/issues-table.tsx";
import { LookupForm } from "../lookup/lookup-form.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { formatClockTime, formatDateLine, TimeElement } from "../parts/time.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";
import { AttentionSection, LaterSection, SelectedSection } from "./attention-list.tsx";
import { ErrorChart, PeriodSwitch } from "./error-chart.tsx";
import { HomeSide } from "./home-side.tsx";

/** The overview, with the sentence about it, and the deploys of its period. */
export interface HomeData {
  readonly overview: ProjectOverview;
  readonly sentence: readonly SentencePart[];
  readonly deploys: readonly DeployMoment[];
}

interface HomePageProps {
  /** Streams in. Null while the index is unavailable. */
  readonly data: Promise<HomeData | null>;
  /** The newest issues, if `data` is null. */
  readonly newest: Promise<IssueList | null>;
  readonly period: OverviewPeriod;
  readonly span: Span | undefined;
  readonly nowMs: number;
}

/** Rows of the list that replaces the overview. */
const MAX_NEWEST = 8;

export function HomePage(props: HomePageProps) {
  return (
    <div className="home-page" data-live="">
      <Boundary name="overview" loading={<Skeleton shape="rows" label="the overview" />}>
        <Loaded {...props} />
      </Boundary>
    </div>
  );
}

function Loaded({ data, newest, period, span, nowMs }: HomePageProps) {
  const loaded = use(data);
  if (loaded === null) return <NewestIssues list={newest} nowMs={nowMs} />;
  const { overview, sentence, deploys } = loaded;
  const { issues, noise, selected, attention, later, open } = overview;
  if (issues + noise === 0) return <FirstVisit />;
  return (
    <>
      <header className="home-lede">
        <p className="dateline">
          {formatDateLine(nowMs)}
          <FirstReport overview={overview} nowMs={nowMs} />
        </p>
        <h1>
          <Sentence parts={sentence} nowMs={nowMs} />
        </h1>
      </header>
      <div className="with-side">
        <div>
          <div className="home-chart">
            <PeriodSwitch period={period} columns={overview.columns} />
            <ErrorChart
              overview={overview}
              deploys={deploys}
              period={period}
              span={span}
              nowMs={nowMs}
            />
          </div>
          {selected !== undefined && span !== undefined ? (
            <SelectedSection list={selected} span={span} period={period} nowMs={nowMs} />
          ) : (
            <AttentionSection list={attention} open={open} nowMs={nowMs} />
          )}
          {selected === undefined && <LaterSection rows={later} nowMs={nowMs} />}
          <NoiseNote issueCount={noise} />
        </div>
        <HomeSide overview={overview} deploys={deploys} nowMs={nowMs} />
      </div>
    </>
  );
}

/** A young project says since when it has reports. */
function FirstReport({ overview, nowMs }: { overview: ProjectOverview; nowMs: number }) {
  const { columns, firstSeenMs } = overview;
  if (columns.lifeMs === undefined || firstSeenMs === undefined) return null;
  return (
    <>
      {" · first report "}
      {nowMs - firstSeenMs < 24 * HOUR_MS ? "at " : ""}
      <TimeElement atMs={firstSeenMs} text={formatClockTime(firstSeenMs, nowMs)} clock="minute" />
    </>
  );
}

function Sentence({ parts, nowMs }: { parts: readonly SentencePart[]; nowMs: number }) {
  return parts.map((part, n) => {
    // The parts have no ids, and their order never changes.
    if (part.kind === "time") {
      const text = formatClockTime(part.atMs, nowMs);
      return <TimeElement key={n} atMs={part.atMs} text={text} clock="minute" />;
    }
    if (part.kind === "strong") return <b key={n}>{part.text}</b>;
    if (part.kind === "text") return part.text;
    return (
      <code key={n}>
        <bdi>{part.text}</bdi>
      </code>
    );
  });
}

/** Before the first report, the page is the lookup and the way to connect. */
function FirstVisit() {
  return (
    <div className="issues-page">
      <section className="lookup-hero">
        <h1>What broke?</h1>
        <LookupForm hasAutoFocus />
      </section>
      <NoIssuesYet />
    </div>
  );
}

/** The newest open issues, as their copy has them, while the index is unavailable. */
function NewestIssues({ list, nowMs }: { list: Promise<IssueList | null>; nowMs: number }) {
  const loaded = use(list);
  const issues = (loaded?.issues ?? [])
    .filter((issue) => getCurrentState(issue, nowMs) === "open")
    .slice(0, MAX_NEWEST);
  return (
    <section className="issues-page" aria-labelledby="newest">
      <h1 id="newest">Newest issues</h1>
      <p className="muted">The overview is unavailable at the moment.</p>
      {issues.length > 0 && (
        <IssueListTable issues={issues} nowMs={nowMs} caption="Newest open issues" />
      )}
    </section>
  );
}

/** A link to the issues hidden as noise. */
function NoiseNote({ issueCount }: { issueCount: number }) {
  if (issueCount === 0) return null;
  return (
    <p className="muted spaced">
      <DeskLink href={toSearchUrl("is:noise")}>
        {pluralize(issueCount, "issue")} hidden as noise
      </DeskLink>
      : extensions, injected scripts, translated pages.
    </p>
  );
}
