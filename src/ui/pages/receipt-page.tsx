/**
 * The receipt: what the person with the screenshot may know about a digest, in plain words. It is public, and so has
 * nothing of the error itself: no type, no message, no place.
 */
import { use } from "react";
import type { Mending } from "../../core/mending.ts";
import { Boundary } from "../boundary.tsx";
import { CopyButton } from "../copy-button.tsx";
import { FactList } from "../fact-list.tsx";
import { counted } from "../figure.tsx";
import { type Comment, CommentForm } from "../receipt/comment-form.tsx";
import { Skeleton } from "../skeleton.tsx";
import { Time } from "../time.tsx";

/** What is said of an issue in public. `week` counts the last seven days. */
export interface Known {
  readonly sinceMs: number;
  readonly week: number;
  readonly mending: Mending;
}

/** What the page is made of. */
export interface ReceiptPageProps {
  readonly digest: string;
  /** Streams in; null for a digest that nobody has reported. Undefined where nothing was looked up, because too much was asked. */
  readonly known: Promise<Known | null> | undefined;
  /** What has become of the visitor's own words. */
  readonly comment: Comment;
  /** The way to the error itself, for those who may enter the desk. */
  readonly deskUrl?: string | undefined;
  readonly nowMs: number;
}

/** The page at `/e/<digest>`. */
export function ReceiptPage({ digest, known, comment, deskUrl, nowMs }: ReceiptPageProps) {
  return (
    <div className="slip-page">
      <article className="slip receipt">
        <header>
          <h1>
            <span className="label">Receipt for the error</span>{" "}
            <code className="digest">{digest}</code>
          </h1>
          <p>
            <CopyButton text={digest} what="the digest" />
          </p>
        </header>
        {known === undefined ? (
          <TooMany digest={digest} comment={comment} />
        ) : (
          <Boundary
            name="receipt"
            loading={<Skeleton shape="receipt" label="what is known about it" />}
          >
            <Answer digest={digest} known={known} comment={comment} nowMs={nowMs} />
          </Boundary>
        )}
        {deskUrl !== undefined && (
          <p className="slip-foot">
            <a href={deskUrl}>Open it on the desk</a>
          </p>
        )}
      </article>
    </div>
  );
}

const SAYS: Readonly<Record<Mending, { readonly head: string; readonly body: string }>> = {
  none: {
    head: "We know about it.",
    body: "What you ran into was recorded, and it is on the list of the people who look after this site. You do not need to do anything.",
  },
  coming: {
    head: "A fix is on its way.",
    body: "What you ran into was found, and the mended version of this site is about to come. Until then it may happen again.",
  },
  done: {
    head: "It is fixed.",
    body: "What you ran into was found and mended. Reload the page where it happened; if you see this digest again, please say so.",
  },
};

function Answer({
  digest,
  known,
  comment,
  nowMs,
}: Pick<ReceiptPageProps, "digest" | "comment" | "nowMs"> & {
  readonly known: Promise<Known | null>;
}) {
  const found = use(known);
  if (found === null) return <NotKnown />;
  const { head, body } = SAYS[found.mending];
  return (
    <>
      <h2>{head}</h2>
      <p>{body}</p>
      <Steps mending={found.mending} />
      <FactList
        look="figures"
        facts={[
          ["Known since", <Time key="since" atMs={found.sinceMs} nowMs={nowMs} />],
          ["Seen this week", counted(found.week, "time")],
        ]}
      />
      <CommentForm digest={digest} comment={comment} />
    </>
  );
}

/** What somebody wrote stays in its form, whether there is such an error or not. */
function TooMany({ digest, comment }: Pick<ReceiptPageProps, "digest" | "comment">) {
  return (
    <>
      <h2>One moment, please.</h2>
      <p>
        Many receipts were asked for from where you are, so this one was not looked up. Wait a
        minute and reload this page.
      </p>
      {comment.problem !== undefined && <CommentForm digest={digest} comment={comment} />}
    </>
  );
}

function NotKnown() {
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

const STEPS: readonly (readonly [mending: Mending, name: string])[] = [
  ["none", "Recorded"],
  ["coming", "On its way"],
  ["done", "Fixed"],
];

function Steps({ mending }: Pick<Known, "mending">) {
  const reached = STEPS.findIndex(([step]) => step === mending);
  return (
    <ol className="steps">
      {STEPS.map(([step, name], index) => (
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
