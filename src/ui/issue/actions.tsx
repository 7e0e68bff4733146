/**
 * What a person may decide about an issue, as plain forms that `POST /d/<digest>/state` understands: they work without scripts.
 * The menus are popovers, which the browser opens, closes with Escape, and puts into the order of the keyboard by itself.
 */
import type { ReactNode } from "react";
import { getCurrentState } from "../../core/issue/decision.ts";
import type { Issue, IssueState } from "../../core/issue/issue.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { ChevronIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber } from "../parts/number.tsx";
import { toIssueActionUrl } from "../urls/issue-urls.ts";

const RELEASE_CHARS = 32;

/** What makes sense in each state; whatever is not here is one "Reopen" away. */
const ACTIONS_BY_STATE: Readonly<Record<IssueState, readonly IssueAction[]>> = {
  open: ["resolve", "ignore", "mute"],
  resolved: ["reopen"],
  ignored: ["resolve", "mute", "reopen"],
  muted: ["resolve", "reopen"],
};

type IssueAction = "resolve" | "ignore" | "mute" | "reopen";

/** The buttons, for a row of them. */
export function IssueActions({ issue, nowMs }: { readonly issue: Issue; readonly nowMs: number }) {
  const offered = ACTIONS_BY_STATE[getCurrentState(issue, nowMs)];
  const path = toIssueActionUrl(issue.digest, "state");
  return (
    <>
      {offered.includes("resolve") && <ResolveButton path={path} release={issue.release} />}
      {offered.includes("ignore") && <IgnoreMenu path={path} />}
      {offered.includes("mute") && (
        <DecisionButton path={path} state="muted" word="Mute" hotkey="m" />
      )}
      {offered.includes("reopen") && (
        <DecisionButton path={path} state="open" word="Reopen" hotkey="o" />
      )}
    </>
  );
}

/** One button, one decision. */
function DecisionButton({
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
    <DeskForm method="post" action={path}>
      <button type="submit" name="state" value={state} data-shortcut={hotkey}>
        {word}
      </button>
    </DeskForm>
  );
}

function ResolveButton({ path, release }: { path: string; release: string | undefined }) {
  return (
    <div className="split">
      <DecisionButton path={path} state="resolved" word="Resolve" hotkey="r" />
      <DecisionMenu
        path={path}
        state="resolved"
        label="Resolve in a release"
        opener={<ChevronIcon />}
      >
        {release !== undefined && (
          <DecisionOption name="release" value={release} hint="Older releases may still send it">
            In <bdi>{abbreviate(release, RELEASE_CHARS)}</bdi>
          </DecisionOption>
        )}
        <DecisionOption
          name="inNextRelease"
          value="1"
          hint="The releases of today may still send it"
        >
          In the next release
        </DecisionOption>
      </DecisionMenu>
    </div>
  );
}

const IGNORE_DURATIONS = [
  ["1h", "For an hour"],
  ["1d", "For a day"],
  ["7d", "For a week"],
  ["30d", "For thirty days"],
] as const;
const IGNORE_COUNTS = [10, 100, 1_000];

function IgnoreMenu({ path }: { path: string }) {
  const opener = (
    <>
      Ignore <ChevronIcon />
    </>
  );
  return (
    <DecisionMenu path={path} state="ignored" label="Ignore for a while" opener={opener} hotkey="i">
      {IGNORE_DURATIONS.map(([value, words]) => (
        <DecisionOption key={value} name="duration" value={value}>
          {words}
        </DecisionOption>
      ))}
      {IGNORE_COUNTS.map((count) => (
        <DecisionOption key={count} name="count" value={String(count)}>
          Until {formatNumber(count)} more are seen
        </DecisionOption>
      ))}
    </DecisionMenu>
  );
}

/** A button that opens a form of several submit buttons; each says what it adds to the state. */
function DecisionMenu({
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
        className="menu-button"
        popoverTarget={id}
        aria-label={label}
        data-shortcut={hotkey}
      >
        {opener}
      </button>
      <DeskForm id={id} className="menu" popover="auto" method="post" action={path}>
        <input type="hidden" name="state" value={state} />
        {children}
      </DeskForm>
    </>
  );
}

function DecisionOption({
  name,
  value,
  hint,
  children,
}: {
  name: "release" | "inNextRelease" | "duration" | "count";
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
