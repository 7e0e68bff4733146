/** Why a well-formed code may be unknown, and what to do about each reason. Words only. */
import type { ReactNode } from "react";

/** For a digest with a right check character. */
export function DigestReasons({ digest }: { readonly digest: string }) {
  return (
    <ReasonList>
      <Reason name="It only just happened">
        A report is readable here at once, and everywhere within a minute.
      </Reason>
      <Reason name="It could not be stored">
        Then the Worker’s log has it: search there for <code>{digest}</code>.
      </Reason>
      <Reason name="It belongs to another project">Every desk knows its own digests only.</Reason>
      <Reason name="It was erased">
        Somebody erased it with its reports. If it happens again, it is known again.
      </Reason>
      <Reason name="It has expired">
        An error that has not happened for a time that the operator sets is forgotten, and its
        digest with it.
      </Reason>
    </ReasonList>
  );
}

/** For a code of another system that no report carries. */
export function AliasReasons() {
  return (
    <ReasonList>
      <Reason name="The error was never sent here">
        A Next.js app sends it from <code>onRequestError</code> in <code>instrumentation.ts</code>,
        to <code>/monitoring</code> of this desk. Errors in server actions and prefetches are not
        always handed to it.
      </Reason>
      <Reason name="It names a request without a report">
        A Ray ID or a trace id leads to the newest report of its request, if there is one.
      </Reason>
      <Reason name="It comes from another build">
        A Next.js code changes with every build, even for the same error. Look for the error by its
        message.
      </Reason>
      <Reason name="A digit is wrong">
        Compare it with the screenshot: these codes have no check digit.
      </Reason>
      <Reason name="It has expired">
        An error that has not happened for a time that the operator sets is forgotten, and its codes
        with it.
      </Reason>
    </ReasonList>
  );
}

/** For an event id that no report has. */
export function ReportIdReasons() {
  return (
    <ReasonList>
      <Reason name="It never left the sender">
        An SDK may hold an event back (sampling, a filter), and a browser extension may block it.
      </Reason>
      <Reason name="It is on its way">Reload this page in a minute.</Reason>
      <Reason name="Its body is no longer kept">
        Reports are kept for a time that the operator sets, rare ones three times as long.
      </Reason>
    </ReasonList>
  );
}

/** For a digest by which a framework says something other than "it failed". */
export function ControlFlowNote({ name }: { readonly name: string }) {
  return (
    <div className="intro">
      <p>{explainSignal(name)}</p>
      <p>
        Frameworks throw such signals on purpose and catch them themselves. They are not failures,
        and are not stored. If a visitor was shown this one, a <code>catch</code> in the app took it
        for an error: let it pass on.
      </p>
    </div>
  );
}

function explainSignal(name: string): string {
  if (/redirect/i.test(name))
    return "It is how a server component sends the visitor to another page.";
  if (/not[-_ ]?found|404/i.test(name))
    return "It is how a server component says that there is no such page.";
  if (/403|401|forbidden|unauthorized/i.test(name))
    return "It is how a server component refuses a visitor.";
  if (/bailout|dynamic|postpone|prerender/i.test(name)) {
    return "It is how a render says that a part must wait for the request or the browser.";
  }
  return "It is a signal of the framework, and not a failure.";
}

function ReasonList({ children }: { children: ReactNode }) {
  return (
    <section className="reasons">
      <h2>Why that may be</h2>
      <dl>{children}</dl>
    </section>
  );
}

function Reason({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
