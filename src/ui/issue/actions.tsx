/**
 * What a person may decide about an issue, as plain forms that `POST /d/<digest>/state` understands: they work without scripts.
 * The menus are popovers, which the browser opens, closes with Escape, and puts into the order of the keyboard by itself.
 */
import type { ReactNode } from "react";
import { stateOf } from "../../core/decision.ts";
import type { Issue, IssueState } from "../../core/issue.ts";
import { headOf } from "../long-text.tsx";
import { Chevron } from "../marks.tsx";

const RELEASE_CHARS = 32;

/** What makes sense in each state; whatever is not here is one "Reopen" away. */
const OFFERED: Readonly<Record<IssueState, readonly Action[]>> = {
  open: ["resolve", "ignore", "mute"],
  resolved: ["reopen"],
  ignored: ["resolve", "mute", "reopen"],
  muted: ["resolve", "reopen"],
};

type Action = "resolve" | "ignore" | "mute" | "reopen";

/** The row of buttons. */
export function Actions({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  const offered = OFFERED[stateOf(issue, nowMs)];
  const path = `/d/${issue.digest}/state`;
  return (
    <div className="actions">
      {offered.includes("resolve") && <Resolve path={path} release={issue.release} />}
      {offered.includes("ignore") && <Ignore path={path} />}
      {offered.includes("mute") && <Decide path={path} state="muted" word="Mute" />}
      {offered.includes("reopen") && <Decide path={path} state="open" word="Reopen" />}
    </div>
  );
}

/** One button, one decision. */
function Decide({ path, state, word }: { path: string; state: IssueState; word: string }) {
  return (
    <form method="post" action={path}>
      <button type="submit" name="state" value={state}>
        {word}
      </button>
    </form>
  );
}

function Resolve({ path, release }: { path: string; release: string | undefined }) {
  return (
    <div className="split">
      <Decide path={path} state="resolved" word="Resolve" />
      <Menu path={path} state="resolved" label="Resolve in a release" opener={<Chevron />}>
        {release !== undefined && (
          <Choice name="release" value={release} hint="Older releases may still send it">
            In <bdi>{headOf(release, RELEASE_CHARS)}</bdi>
          </Choice>
        )}
        <Choice name="next" value="1" hint="The releases of today may still send it">
          In the next release
        </Choice>
      </Menu>
    </div>
  );
}

function Ignore({ path }: { path: string }) {
  const opener = (
    <>
      Ignore <Chevron />
    </>
  );
  return (
    <Menu path={path} state="ignored" label="Ignore for a while" opener={opener}>
      <Choice name="for" value="1h">
        For an hour
      </Choice>
      <Choice name="for" value="1d">
        For a day
      </Choice>
      <Choice name="for" value="7d">
        For a week
      </Choice>
      <Choice name="count" value="100">
        Until 100 more are seen
      </Choice>
    </Menu>
  );
}

/** A button that opens a form of several submit buttons; each says what it adds to the state. */
function Menu({
  path,
  state,
  label,
  opener,
  children,
}: {
  path: string;
  state: IssueState;
  label: string;
  opener: ReactNode;
  children: ReactNode;
}) {
  const id = `${state}-menu`;
  return (
    <>
      <button type="button" className="opener" popoverTarget={id} aria-label={label}>
        {opener}
      </button>
      <form id={id} className="menu" popover="auto" method="post" action={path}>
        <input type="hidden" name="state" value={state} />
        {children}
      </form>
    </>
  );
}

function Choice({
  name,
  value,
  hint,
  children,
}: {
  name: "release" | "next" | "for" | "count";
  value: string;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <button type="submit" name={name} value={value}>
      <span>{children}</span>
      {hint !== undefined && <small>{hint}</small>}
    </button>
  );
}
