/**
 * Waits for a report that may be about to arrive. The client script (`client/await-report.ts`)
 * listens as long as the page is open: it shows the part of the current state (`data-when`) and
 * opens the issue. Without scripts, the page can be looked up again.
 */
import type { ReactNode } from "react";

/** The state of a page that waits for a report. `data-when` names the state of a part. */
export type AwaitState =
  | "listening"
  /** After a minute. */
  | "late"
  /** The issue opens in a moment. */
  | "arrived"
  /** The visitor decided to stay, or is writing. */
  | "stayed"
  | "signed-out";

/** The heading. The script replaces it when the report arrives. */
export function AwaitedHeading({ children }: { children: ReactNode }) {
  return (
    <h1 data-awaited-heading="">
      <span className="needs-script">Waiting for {children}…</span>
      <span className="needs-no-script">{children} is not here yet</span>
    </h1>
  );
}

/** The state of the page. The script looks `query` up again, in which the page found `code`. */
export function WaitForReport({ query, code }: { query: string; code: string }) {
  return (
    <>
      <div className="live-panel needs-script" role="status" data-awaits={query} data-code={code}>
        <Part when="listening">
          <SocketStates
            open={
              <>
                Listening for <Waited />. Most reports take less than ten seconds. The issue opens
                as soon as its report arrives.
              </>
            }
            connecting="Connecting… The issue opens as soon as its report arrives."
            closed={LOOKS_AGAIN}
          />
        </Part>
        <Part when="late">
          <SocketStates
            open="Not here yet. Still listening."
            connecting="Not here yet. Connecting again…"
            closed={LOOKS_AGAIN}
          />
        </Part>
        <Part when="arrived">
          <p>
            The report has arrived: <Title />. Opening its issue… <kbd>Esc</kbd> cancels.
          </p>
        </Part>
        <Part when="stayed">
          <p>
            The report has arrived: <Title />. <Again>Open its issue</Again>
          </p>
        </Part>
        <Part when="signed-out">
          <p>
            <b>You are signed out.</b> This page cannot listen. <Again>Sign in</Again>
          </p>
        </Part>
      </div>
      <p className="needs-no-script">
        Most reports take less than ten seconds. <Again>Look again</Again>
      </p>
    </>
  );
}

function Part({ when, children }: { when: AwaitState; children: ReactNode }) {
  return (
    <div data-when={when} hidden={when !== "listening"}>
      {children}
    </div>
  );
}

const LOOKS_AGAIN = "This page looks again every few seconds, then less often.";

/** The texts of the live socket's states. `closed` says what happens without a connection. */
export function SocketStates({
  open,
  connecting,
  closed,
}: {
  open: ReactNode;
  connecting: string;
  closed: ReactNode;
}) {
  return (
    <>
      <p className="awaiting" data-socket-state="open">
        <span className="pulse" aria-hidden="true" />
        <span>{open}</span>
      </p>
      <p className="muted" data-socket-state="connecting">
        {connecting}
      </p>
      <p data-socket-state="closed">
        <b>Not connected.</b> {closed}
      </p>
    </>
  );
}

/** The time since the page was opened, which is not announced. */
function Waited() {
  return (
    <b role="timer" data-waited="">
      0 s
    </b>
  );
}

/** The title of the issue that has arrived. */
function Title() {
  return <bdi dir="auto" data-arrived-title="" />;
}

/** A link to this URL. */
export function Again({ children }: { children: string }) {
  // biome-ignore lint/a11y/useValidAnchor: links to this URL (RFC 3986 § 4.4)
  return <a href="">{children}</a>;
}
