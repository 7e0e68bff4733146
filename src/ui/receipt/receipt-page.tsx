/**
 * The receipt: the facts about an error for a visitor with its digest, in plain words. It is
 * public, so it has no type, message or location of the error.
 */
import { use } from "react";
import type { FixProgress } from "../../core/issue/fix-progress.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/utc-time.ts";
import type { Visitor, VisitorTexts } from "../../core/visitors/languages/visitor-texts.ts";
import { Boundary } from "../failure/boundary.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, TimeElement } from "../parts/time.tsx";
import { ReceiptCommentForm, type ReceiptCommentState } from "./comment-form.tsx";
import { ReceiptTellForm, type ReceiptTellState } from "./tell-form.tsx";

/** The public status of an issue. `weekCount` covers the last seven days. */
export interface ReceiptStatus {
  readonly firstSeenMs: number;
  readonly weekCount: number;
  readonly fixProgress: FixProgress;
}

interface ReceiptPageProps {
  readonly digest: string;
  /** Null for an unknown digest. Undefined if the lookup was rate limited. */
  readonly status: Promise<ReceiptStatus | null> | undefined;
  /** The state of the visitor's comment. */
  readonly comment: ReceiptCommentState;
  /** The state of the request to be told of the fix; undefined if mail cannot be sent. */
  readonly tell?: ReceiptTellState | undefined;
  /** The URL of the issue, for visitors who can open it. */
  readonly issueUrl?: string | undefined;
  readonly visitor: Visitor;
  readonly nowMs: number;
}

/** The heading of every page of a digest that visitors see. */
export function ReceiptHeading({ digest, texts }: { digest: string; texts: VisitorTexts }) {
  return (
    <h1>
      <span className="label">{texts.receipt}</span>{" "}
      <code className="digest" dir="ltr">
        {digest}
      </code>
    </h1>
  );
}

export function ReceiptPage(props: ReceiptPageProps) {
  const { digest, status, comment, tell, issueUrl, visitor, nowMs } = props;
  const { texts } = visitor;
  return (
    <div className="card-page">
      <article className="card receipt">
        <header>
          <ReceiptHeading digest={digest} texts={texts} />
          <p>
            <CopyButton
              text={digest}
              label={visitor.language === "en" ? "the digest" : texts.digest}
              words={[texts.copy, texts.copied]}
            />
          </p>
        </header>
        {status === undefined ? (
          <RateLimitedNote digest={digest} comment={comment} tell={tell} texts={texts} />
        ) : (
          <Boundary name="receipt" loading={<Skeleton shape="text" label="the status" />}>
            <ReceiptDetails
              digest={digest}
              status={status}
              comment={comment}
              tell={tell}
              visitor={visitor}
              nowMs={nowMs}
            />
          </Boundary>
        )}
        {issueUrl !== undefined && (
          <p className="card-footer">
            <a href={issueUrl} lang="en">
              Open issue
            </a>
          </p>
        )}
      </article>
    </div>
  );
}

const PROGRESS_TEXTS = {
  none: ["knownTitle", "knownText"],
  pending: ["pendingTitle", "pendingText"],
  fixed: ["fixedTitle", "fixedText"],
} as const satisfies Readonly<Record<FixProgress, readonly (keyof VisitorTexts)[]>>;

function ReceiptDetails({
  digest,
  status,
  comment,
  tell,
  visitor,
  nowMs,
}: Pick<ReceiptPageProps, "digest" | "comment" | "tell" | "visitor" | "nowMs"> & {
  readonly status: Promise<ReceiptStatus | null>;
}) {
  const found = use(status);
  const { texts } = visitor;
  if (found === null)
    return (
      <>
        <h2>{texts.unknownTitle}</h2>
        <p>{texts.unknownText}</p>
      </>
    );
  const [title, text] = PROGRESS_TEXTS[found.fixProgress];
  return (
    <>
      <h2>{texts[title]}</h2>
      <p>{texts[text]}</p>
      <ProgressSteps fixProgress={found.fixProgress} texts={texts} />
      <FactList
        variant="grid"
        facts={[
          [
            texts.firstSeen,
            <VisitorTime key="since" visitor={visitor} atMs={found.firstSeenMs} nowMs={nowMs} />,
          ],
          [texts.seenThisWeek, formatTimes(found.weekCount, visitor)],
        ]}
      />
      {tell !== undefined && (tell.isAsked || found.fixProgress !== "fixed") && (
        <ReceiptTellForm digest={digest} tell={tell} texts={texts} />
      )}
      <ReceiptCommentForm digest={digest} comment={comment} texts={texts} />
    </>
  );
}

function formatTimes(count: number, { language }: Visitor): string {
  return language === "en"
    ? pluralize(count, "time")
    : new Intl.NumberFormat(language).format(count);
}

/** The largest unit that the time is long. */
const UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

/** "vor 3 Stunden", after two weeks the date. */
function VisitorTime({
  atMs,
  nowMs,
  visitor: { language },
}: {
  readonly atMs: number;
  readonly nowMs: number;
  readonly visitor: Visitor;
}) {
  if (language === "en") return <RelativeTime atMs={atMs} nowMs={nowMs} />;
  const agoMs = nowMs - atMs;
  const [unit, unitMs] = UNITS.find(([, ms]) => agoMs >= ms) ?? ["second", 1_000];
  const text =
    agoMs > 14 * DAY_MS
      ? new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(atMs)
      : new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(
          -Math.max(0, Math.floor(agoMs / unitMs)),
          unit,
        );
  return <TimeElement atMs={atMs} text={text} />;
}

/** Keeps what was entered in its form, whether the digest is known or not. */
function RateLimitedNote({
  digest,
  comment,
  tell,
  texts,
}: Pick<ReceiptPageProps, "digest" | "comment" | "tell"> & { readonly texts: VisitorTexts }) {
  return (
    <>
      <h2>{texts.waitTitle}</h2>
      <p>{texts.waitText}</p>
      {tell?.error !== undefined && <ReceiptTellForm digest={digest} tell={tell} texts={texts} />}
      {comment.error !== undefined && (
        <ReceiptCommentForm digest={digest} comment={comment} texts={texts} />
      )}
    </>
  );
}

const PROGRESS_STEPS = [
  ["none", "stepRecorded"],
  ["pending", "stepInProgress"],
  ["fixed", "stepFixed"],
] as const satisfies readonly (readonly [FixProgress, keyof VisitorTexts])[];

function ProgressSteps({
  fixProgress,
  texts,
}: Pick<ReceiptStatus, "fixProgress"> & { readonly texts: VisitorTexts }) {
  const currentIndex = PROGRESS_STEPS.findIndex(([step]) => step === fixProgress);
  return (
    <ol className="steps">
      {PROGRESS_STEPS.map(([step, label], index) => (
        <li
          key={step}
          data-reached={index <= currentIndex ? "" : undefined}
          aria-current={index === currentIndex ? "step" : undefined}
        >
          {texts[label]}
        </li>
      ))}
    </ol>
  );
}
