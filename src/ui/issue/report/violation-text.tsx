/** A CSP violation as a sentence, with a link that tests a policy that allows it. */
import {
  explainViolation,
  type ViolationExplanation,
} from "../../../core/csp/explain-violation.ts";
import type { Report } from "../../../core/report.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { toDryRunUrl } from "../../urls/csp-urls.ts";

const SOURCE_CHARS = 120;
const MAX_SHOWN_SOURCES = 5;

/** "The page `/help` may load scripts from `'self'` only, but asked for `https://…`." */
export function ViolationText({ report }: { report: Report }) {
  const explanation = explainViolation(report);
  const { page, policy, isReportOnly } = explanation;
  const url = policy === undefined ? undefined : toDryRunUrl(policy);
  return (
    <div className="violation-text">
      <p>
        {page === undefined ? "A page" : <>The page {<Source text={page} />}</>}{" "}
        <Permission {...explanation} />.
        {isReportOnly && " The policy only reports: nothing was blocked."}
      </p>
      <p>
        <DeskLink href={url ?? "/csp"}>Test a policy for this violation</DeskLink>
      </p>
    </div>
  );
}

/** The rest of the sentence. If the policy is unknown, it states only what the policy forbids. */
function Permission({ action, allowed, url, inline }: ViolationExplanation) {
  const demand = url === undefined ? inline : <>asked for {<Source text={url} />}</>;
  if (allowed !== undefined) {
    return (
      <>
        may {allowed.length === 0 ? `not ${action} any origin` : `${action} `}
        <Sources allowed={allowed} />
        {allowed.length > 0 && " only"}, but {demand}
      </>
    );
  }
  if (url === undefined) return <>{inline}, which its policy forbids</>;
  return (
    <>
      may not {action} <Source text={url} />
    </>
  );
}

function Sources({ allowed }: { allowed: readonly string[] }) {
  const hiddenCount = allowed.length - MAX_SHOWN_SOURCES;
  return (
    <>
      {allowed.slice(0, MAX_SHOWN_SOURCES).map((source, n) => (
        <span key={source}>
          {n > 0 && ", "}
          <Source text={source} />
        </span>
      ))}
      {hiddenCount > 0 && ` and ${hiddenCount} more`}
    </>
  );
}

function Source({ text }: { text: string }) {
  return <code dir="ltr">{abbreviate(text, SOURCE_CHARS)}</code>;
}
