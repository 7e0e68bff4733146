/** The heading of an issue: its title, where it fails, its digest, and what is special about it. */
import type { ReactNode } from "react";
import { describeSkew, type IssueSkew } from "../../../core/deploy-skew/deploy-skew.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { MAX_SUMMARY_MESSAGE_CHARS } from "../../../core/report/report-summary.ts";
import type { NoiseRule } from "../../../core/report.ts";
import { countOwnLevel } from "../../../core/stats/trust-counts.ts";
import { stripTypePrefix } from "../../issues/message-without-type.ts";
import { OtherErrors } from "../../issues/other-errors.tsx";
import { PublicMark } from "../../issues/trust-text.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { abbreviate, FullText } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { Aliases } from "../sidebar/aliases.tsx";

const SKEW_DOCS_URL = "/docs/issues#deploy-skew";
/** Three lines on a desk. A phone shows less of it, and the whole text below. */
const MESSAGE_CHARS = 220;
const PHONE_CHARS = 100;
const LOCATION_CHARS = 120;
/** Fits a commit hash of 40 characters. */
const NAME_CHARS = 48;

/** Type and message. Reported markup is shown as text. */
export function IssueTitle({ issue }: { issue: Issue }) {
  const type = nameType(issue);
  return (
    <>
      {type !== "" && (
        <>
          <bdi className="type">{abbreviate(type, LOCATION_CHARS)}</bdi>{" "}
        </>
      )}
      <span className="message" dir="auto">
        {abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)"}
      </span>
    </>
  );
}

/** A message without a type needs none, and is not called a message twice. */
function nameType({ type, kind, message }: Issue): string {
  if (kind === "message" && type === "Message" && message !== "") return "";
  return type || (message === "" ? kind : "");
}

/** The title and the line below it. `children` are below both. */
export function IssueHeading({ issue, children }: { issue: Issue; children?: ReactNode }) {
  const { digest, message } = issue;
  return (
    <div className="issue-text">
      <h1 className="issue-title" dir={isRightToLeft(message) ? "rtl" : undefined}>
        <IssueTitle issue={issue} />
        <OtherErrors issue={issue} />
      </h1>
      <div className="issue-location">
        <Culprit issue={issue} /> {issue.kind !== "error" && <span>{issue.kind}</span>}{" "}
        {issue.route !== undefined && <bdi>{abbreviate(issue.route, LOCATION_CHARS)}</bdi>}{" "}
        <PublicMark trust={issue.trust} />{" "}
        <span className="digest-code">
          <code className="digest">{digest}</code> <CopyButton text={digest} label="the digest" />
        </span>{" "}
        <Aliases issue={issue} />
        {message.length > PHONE_CHARS && message.length < MAX_SUMMARY_MESSAGE_CHARS && (
          <div
            className="whole-message"
            data-fits={message.length <= MESSAGE_CHARS ? "" : undefined}
          >
            <FullText text={message} maxChars={PHONE_CHARS} />
          </div>
        )}
      </div>
      {issue.count === 0 && (
        <p className="muted">
          Only browsers have reported this digest. If the server’s report could not be stored,
          search the Worker’s log for <code>{digest}</code>.
        </p>
      )}
      {children}
    </div>
  );
}

/** `price.ts:7` in `total`; before a map resolves a stack, the culprit as it was sent. */
function Culprit({ issue: { place, culprit } }: { issue: Issue }) {
  if (place === undefined)
    return culprit === undefined ? null : <bdi>{abbreviate(culprit, LOCATION_CHARS)}</bdi>;
  const file = place.file.slice(place.file.lastIndexOf("/") + 1);
  return (
    <span>
      <bdi>
        <code>{abbreviate(`${file}:${place.line}`, LOCATION_CHARS)}</code>
      </bdi>
      {place.function !== undefined && (
        <>
          {" in "}
          <bdi>
            <code>{abbreviate(place.function, LOCATION_CHARS)}</code>
          </bdi>
        </>
      )}
    </span>
  );
}

const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** By its first letter, as browsers decide. The type is isolated, so they do not see it. */
function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** What explains the issue: noise, deploy skew, and pages that failed with status 200. */
export function IssueVerdicts({ issue }: { issue: Issue }) {
  return (
    <>
      {issue.noise !== undefined && (
        <p className="verdict">
          <b>Noise.</b> {NOISE_TEXTS[issue.noise]}
        </p>
      )}
      {issue.skew !== undefined && <DeploySkew skew={issue.skew} total={countOwnLevel(issue)} />}
      {issue.silent200Count > 0 && (
        <p className="verdict">
          <b>Silent 200.</b> {pluralize(issue.silent200Count, "response")} failed after status 200
          was sent, so caches, monitors and crawlers saw a success.
        </p>
      )}
    </>
  );
}

/** The verdict with the two releases. */
function DeploySkew({ skew, total }: { skew: IssueSkew; total: number }) {
  return (
    <p className="verdict">
      <b>Deploy skew.</b>{" "}
      {describeSkew(skew, total).map(({ text, isValue }, n) =>
        isValue ? <bdi key={n}>{abbreviate(text, NAME_CHARS)}</bdi> : text,
      )}{" "}
      <a href={SKEW_DOCS_URL}>What to do</a>
    </p>
  );
}

/** Why a report that matches the rule is not an error of the page. */
const NOISE_TEXTS: Readonly<Record<NoiseRule, string>> = {
  extension: "Caused by a browser extension.",
  injected: "Caused by a script that an app or a network injected into the page.",
  translated: "Caused by a page translation, which replaces text nodes.",
  errata: "Caused by a page of Errata itself.",
};
