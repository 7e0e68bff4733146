/**
 * The receipt: what the person with the screenshot may know about a digest, in plain words. It is public, and so has
 * nothing of the error itself: no type, no message, no place.
 */
import { use } from "react";
import { Boundary } from "../boundary.tsx";
import { CopyButton } from "../copy-button.tsx";
import { FactList } from "../fact-list.tsx";
import { counted } from "../figure.tsx";
import { Skeleton } from "../skeleton.tsx";
import { Time } from "../time.tsx";

/** What is said of an issue in public. `week` counts the last seven days. */
export interface Known {
  readonly sinceMs: number;
  readonly week: number;
  readonly fixed: boolean;
}

/** What the page is made of. */
export interface ReceiptPageProps {
  readonly digest: string;
  /** Streams in; null for a digest that nobody has reported. */
  readonly known: Promise<Known | null>;
  /** The way to the error itself, for those who may enter the desk. */
  readonly deskUrl?: string | undefined;
  readonly nowMs: number;
}

/** The page at `/e/<digest>`. */
export function ReceiptPage({ digest, known, deskUrl, nowMs }: ReceiptPageProps) {
  return (
    <div className="slip-page">
      <article className="slip receipt">
        <h1>
          <span className="label">Receipt for the error</span>{" "}
          <code className="digest">{digest}</code>
        </h1>
        <Boundary
          name="receipt"
          loading={<Skeleton shape="receipt" label="what is known about it" />}
        >
          <Answer known={known} nowMs={nowMs} />
        </Boundary>
        <p className="slip-foot">
          <CopyButton text={digest} what="digest" />{" "}
          {deskUrl !== undefined && <a href={deskUrl}>Open it on the desk</a>}
        </p>
      </article>
    </div>
  );
}

const RECORDED = {
  head: "We know about it.",
  body: "What you ran into was recorded, and it is on the list of the people who look after this site. You do not need to do anything.",
};
const FIXED = {
  head: "It is fixed.",
  body: "What you ran into was found and mended. Reload the page where it happened; if you see this digest again, please say so.",
};

function Answer({ known, nowMs }: Pick<ReceiptPageProps, "known" | "nowMs">) {
  const found = use(known);
  if (found === null) return <NotKnown />;
  const { head, body } = found.fixed ? FIXED : RECORDED;
  return (
    <>
      <h2>{head}</h2>
      <p>{body}</p>
      <Steps fixed={found.fixed} />
      <FactList
        look="figures"
        facts={[
          ["Known since", <Time key="since" atMs={found.sinceMs} nowMs={nowMs} />],
          ["Seen this week", counted(found.week, "time")],
        ]}
      />
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

const STEPS = ["Recorded", "Fixed"] as const;

function Steps({ fixed }: Pick<Known, "fixed">) {
  const reached = fixed ? 1 : 0;
  return (
    <ol className="steps">
      {STEPS.map((step, index) => (
        <li
          key={step}
          data-reached={index <= reached ? "" : undefined}
          aria-current={index === reached ? "step" : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  );
}
