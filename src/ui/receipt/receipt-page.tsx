/**
 * The receipt: what the person with the screenshot may know about a digest, in plain words. It is public, and so has
 * nothing of the error itself: no type, no message, no place.
 */
import { use } from "react";
import type { FixProgress } from "../../core/issue/fix-progress.ts";
import { Boundary } from "../failure/boundary.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { ReceiptCommentForm, type ReceiptCommentState } from "./comment-form.tsx";

/** What is said of an issue in public. `week` counts the last seven days. */
export interface ReceiptStatus {
  readonly firstSeenMs: number;
  readonly weekCount: number;
  readonly fixProgress: FixProgress;
}

/** What the page is made of. */
export interface ReceiptPageProps {
  readonly digest: string;
  /** Streams in; null for a digest that nobody has reported. Undefined where nothing was looked up, because too much was asked. */
  readonly status: Promise<ReceiptStatus | null> | undefined;
  /** What has become of the visitor's own words. */
  readonly comment: ReceiptCommentState;
  /** The way to the error itself, for those who may enter the desk. */
  readonly issueUrl?: string | undefined;
  readonly nowMs: number;
}

/** The page at `/e/<digest>`. */
export function ReceiptPage({ digest, status, comment, issueUrl, nowMs }: ReceiptPageProps) {
  return (
    <div className="card-page">
      <article className="card receipt">
        <header>
          <h1>
            <span className="label">Receipt for the error</span>{" "}
            <code className="digest">{digest}</code>
          </h1>
          <p>
            <CopyButton text={digest} label="the digest" />
          </p>
        </header>
        {status === undefined ? (
          <RateLimitedNote digest={digest} comment={comment} />
        ) : (
          <Boundary
            name="receipt"
            loading={<Skeleton shape="text" label="what is known about it" />}
          >
            <ReceiptDetails digest={digest} status={status} comment={comment} nowMs={nowMs} />
          </Boundary>
        )}
        {issueUrl !== undefined && (
          <p className="card-footer">
            <a href={issueUrl}>Open it on the desk</a>
          </p>
        )}
      </article>
    </div>
  );
}

const PROGRESS_TEXTS: Readonly<
  Record<FixProgress, { readonly heading: string; readonly text: string }>
> = {
  none: {
    heading: "We know about it.",
    text: "What you ran into was recorded, and it is on the list of the people who look after this site. You do not need to do anything.",
  },
  pending: {
    heading: "A fix is on its way.",
    text: "What you ran into was found, and the mended version of this site is about to come. Until then it may happen again.",
  },
  fixed: {
    heading: "It is fixed.",
    text: "What you ran into was found and mended. Reload the page where it happened; if you see this digest again, please say so.",
  },
};

function ReceiptDetails({
  digest,
  status,
  comment,
  nowMs,
}: Pick<ReceiptPageProps, "digest" | "comment" | "nowMs"> & {
  readonly status: Promise<ReceiptStatus | null>;
}) {
  const found = use(status);
  if (found === null) return <UnknownReceipt />;
  const { heading, text } = PROGRESS_TEXTS[found.fixProgress];
  return (
    <>
      <h2>{heading}</h2>
      <p>{text}</p>
      <ProgressSteps fixProgress={found.fixProgress} />
      <FactList
        variant="grid"
        facts={[
          ["Known since", <RelativeTime key="since" atMs={found.firstSeenMs} nowMs={nowMs} />],
          ["Seen this week", pluralize(found.weekCount, "time")],
        ]}
      />
      <ReceiptCommentForm digest={digest} comment={comment} />
    </>
  );
}

/** What somebody wrote stays in its form, whether there is such an error or not. */
function RateLimitedNote({ digest, comment }: Pick<ReceiptPageProps, "digest" | "comment">) {
  return (
    <>
      <h2>One moment, please.</h2>
      <p>
        Many receipts were asked for from where you are, so this one was not looked up. Wait a
        minute and reload this page.
      </p>
      {comment.error !== undefined && <ReceiptCommentForm digest={digest} comment={comment} />}
    </>
  );
}

function UnknownReceipt() {
  return (
    <>
      <h2>This one is not known yet.</h2>
      <p>
        If it has only just happened, give it a minute and reload this page. Otherwise compare the
        code with the one you were shown: one wrong character leads nowhere. It may also be so old
        that it was cleared away.
      </p>
    </>
  );
}

const PROGRESS_STEPS: readonly (readonly [mending: FixProgress, name: string])[] = [
  ["none", "Recorded"],
  ["pending", "On its way"],
  ["fixed", "Fixed"],
];

function ProgressSteps({ fixProgress }: Pick<ReceiptStatus, "fixProgress">) {
  const reached = PROGRESS_STEPS.findIndex(([step]) => step === fixProgress);
  return (
    <ol className="steps">
      {PROGRESS_STEPS.map(([step, name], index) => (
        <li
          key={step}
          data-reached={index <= reached ? "" : undefined}
          aria-current={index === reached ? "step" : undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
