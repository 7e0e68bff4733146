/**
 * The receipt: the facts about an error for a visitor with its digest, in plain words. It is
 * public, so it has no type, message or location of the error.
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
  /** The URL of the issue, for visitors who can open it. */
  readonly issueUrl?: string | undefined;
  readonly nowMs: number;
}

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
          <Boundary name="receipt" loading={<Skeleton shape="text" label="the status" />}>
            <ReceiptDetails digest={digest} status={status} comment={comment} nowMs={nowMs} />
          </Boundary>
        )}
        {issueUrl !== undefined && (
          <p className="card-footer">
            <a href={issueUrl}>Open issue</a>
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
    text: "The error was recorded, and the team that runs this site can see it. You do not need to do anything.",
  },
  pending: {
    heading: "A fix is on its way.",
    text: "We found the problem, and a fix will be released soon. Until then, the error can happen again.",
  },
  fixed: {
    heading: "It is fixed.",
    text: "We found the problem and fixed it. Reload the page where it happened. If you see this digest again, please tell us below.",
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
          ["First seen", <RelativeTime key="since" atMs={found.firstSeenMs} nowMs={nowMs} />],
          ["Seen this week", pluralize(found.weekCount, "time")],
        ]}
      />
      <ReceiptCommentForm digest={digest} comment={comment} />
    </>
  );
}

/** Keeps an entered comment in its form, whether the digest is known or not. */
function RateLimitedNote({ digest, comment }: Pick<ReceiptPageProps, "digest" | "comment">) {
  return (
    <>
      <h2>One moment, please.</h2>
      <p>Too many requests from your network. Please reload this page in a minute.</p>
      {comment.error !== undefined && <ReceiptCommentForm digest={digest} comment={comment} />}
    </>
  );
}

function UnknownReceipt() {
  return (
    <>
      <h2>This code is not known yet.</h2>
      <p>
        If the error just happened, wait a minute and reload this page. Otherwise compare the code
        with the one you were shown: every character matters. Old errors are deleted after a while.
      </p>
    </>
  );
}

const PROGRESS_STEPS: readonly (readonly [progress: FixProgress, label: string])[] = [
  ["none", "Recorded"],
  ["pending", "In progress"],
  ["fixed", "Fixed"],
];

function ProgressSteps({ fixProgress }: Pick<ReceiptStatus, "fixProgress">) {
  const currentIndex = PROGRESS_STEPS.findIndex(([step]) => step === fixProgress);
  return (
    <ol className="steps">
      {PROGRESS_STEPS.map(([step, label], index) => (
        <li
          key={step}
          data-reached={index <= currentIndex ? "" : undefined}
          aria-current={index === currentIndex ? "step" : undefined}
        >
          {label}
        </li>
      ))}
    </ol>
  );
}
