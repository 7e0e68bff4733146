/**
 * Possible reasons why a well-formed code is unknown, and what to do: static text. The heading is
 * the page's.
 */
import type { ReactNode } from "react";

/** Why a digest with a valid check character may be unknown. */
export function DigestReasons({ digest }: { digest: string }) {
  return (
    <ReasonList>
      <Reason name="The report could not be stored">
        Search the Worker’s log for <code>{digest}</code>.
      </Reason>
      <Reason name="It belongs to another project">
        Only members of that project can open its issues.
      </Reason>
      <Reason name="It was erased">
        The issue and its reports were erased. If the error happens again, the digest leads to a new
        issue.
      </Reason>
      <Reason name="It has expired">
        An issue expires if its error does not happen again within the retention period.
      </Reason>
    </ReasonList>
  );
}

/** Why a code of another system may be unknown. */
export function AliasReasons() {
  return (
    <ReasonList>
      <Reason name="It identifies a person">
        The lookup does not search the user ids and addresses of reports.
      </Reason>
      <Reason name="The error was never sent here">
        A Next.js app sends errors from <code>onRequestError</code> in{" "}
        <code>instrumentation.ts</code> to <code>/monitoring</code>. Next.js does not always call it
        for errors in server actions and prefetches.
      </Reason>
      <Reason name="The request has no report">
        A Ray ID or trace id opens the newest report of its request, if there is one.
      </Reason>
      <Reason name="It comes from another build">
        A Next.js code changes with every build, even for the same error. Search for the message
        instead.
      </Reason>
      <Reason name="A digit is wrong">
        Compare the code with the screenshot. These codes have no check digit.
      </Reason>
      <Reason name="It has expired">
        An issue expires if its error does not happen again within the retention period.
      </Reason>
    </ReasonList>
  );
}

/** Why an event id may have no report. */
export function ReportIdReasons() {
  return (
    <ReasonList>
      <Reason name="It was not sent">
        The SDK may have dropped it (sampling, a filter), or a browser extension blocked it.
      </Reason>
      <Reason name="It has expired">
        Reports are deleted after the retention period, which is three times as long for rare
        issues.
      </Reason>
    </ReasonList>
  );
}

/** Explains the digest of a framework signal, which is not an error. */
export function ControlFlowNote({ name }: { name: string }) {
  return (
    <div className="intro">
      <p>{explainSignal(name)}</p>
      <p>
        Frameworks throw and catch such signals on purpose. They are not errors and are not stored.
        If a visitor saw this one, a <code>catch</code> block in the app treated it as an error.
        Rethrow it there.
      </p>
    </div>
  );
}

function explainSignal(name: string): string {
  if (/redirect/i.test(name)) return "Server components throw it to redirect the visitor.";
  if (/not[-_ ]?found|404/i.test(name))
    return "Server components throw it if a page does not exist.";
  if (/403|401|forbidden|unauthorized/i.test(name))
    return "Server components throw it to deny access.";
  if (/bailout|dynamic|postpone|prerender/i.test(name))
    return "Components throw it to be rendered later: at the time of the request, or in the browser.";
  return "It is a framework signal, not an error.";
}

function ReasonList({ children }: { children: ReactNode }) {
  return <dl className="reasons">{children}</dl>;
}

function Reason({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
