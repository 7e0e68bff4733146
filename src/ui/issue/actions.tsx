/**
 * What a person may decide about an issue, as plain forms that `POST /d/<digest>/state` understands: they work without scripts.
 * The menus are popovers, which the browser opens, closes with Escape, and puts into the order of the keyboard by itself.
 */
import type { ReactNode } from "react";
import { stateOf } from "../../core/decision.ts";
import type { Issue, IssueState } from "../../core/issue.ts";
import { figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { Chevron } from "../marks.tsx";
import { Form } from "../place.tsx";
import { issueAction } from "./issue-url.ts";

const RELEASE_CHARS = 32;

/** What makes sense in each state; whatever is not here is one "Reopen" away. */
const OFFERED: Readonly<Record<IssueState, readonly Action[]>> = {
  open: ["resolve", "ignore", "mute"],
  resolved: ["reopen"],
  ignored: ["resolve", "mute", "reopen"],
  muted: ["resolve", "reopen"],
};

type Action = "resolve" | "ignore" | "mute" | "reopen";

/** The buttons, for a row of them. */
export function Actions({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  const offered = OFFERED[stateOf(issue, nowMs)];
  const path = issueAction(issue.digest, "state");
  return (
    <>
      {offered.includes("resolve") && <Resolve path={path} release={issue.release} />}
      {offered.includes("ignore") && <Ignore path={path} />}
      {offered.includes("mute") && <Decide path={path} state="muted" word="Mute" hotkey="m" />}
      {offered.includes("reopen") && <Decide path={path} state="open" word="Reopen" hotkey="o" />}
    </>
  );
}

/** One button, one decision. */
function Decide({
  path,
  state,
  word,
  hotkey,
}: {
  path: string;
  state: IssueState;
  word: string;
  hotkey?: string;
}) {
  return (
    <Form method="post" action={path}>
      <button type="submit" name="state" value={state} data-key={hotkey}>
        {word}
      </button>
    </Form>
  );
}

function Resolve({ path, release }: { path: string; release: string | undefined }) {
  return (
    <div className="split">
      <Decide path={path} state="resolved" word="Resolve" hotkey="r" />
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

const TIMES = [
  ["1h", "For an hour"],
  ["1d", "For a day"],
  ["7d", "For a week"],
  ["30d", "For thirty days"],
] as const;
const COUNTS = [10, 100, 1_000];

function Ignore({ path }: { path: string }) {
  const opener = (
    <>
      Ignore <Chevron />
    </>
  );
  return (
    <Menu path={path} state="ignored" label="Ignore for a while" opener={opener} hotkey="i">
      {TIMES.map(([value, words]) => (
        <Choice key={value} name="for" value={value}>
          {words}
        </Choice>
      ))}
      {COUNTS.map((count) => (
        <Choice key={count} name="count" value={String(count)}>
          Until {figure(count)} more are seen
        </Choice>
      ))}
    </Menu>
  );
}

/** A button that opens a form of several submit buttons; each says what it adds to the state. */
function Menu({
  path,
  state,
  label,
  opener,
  hotkey,
  children,
}: {
  path: string;
  state: IssueState;
  label: string;
  opener: ReactNode;
  hotkey?: string;
  children: ReactNode;
}) {
  const id = `${state}-menu`;
  return (
    <>
      <button
        type="button"
        className="opener"
        popoverTarget={id}
        aria-label={label}
        data-key={hotkey}
      >
        {opener}
      </button>
      <Form id={id} className="menu" popover="auto" method="post" action={path}>
        <input type="hidden" name="state" value={state} />
        {children}
      </Form>
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
