/**
 * Forms that change the state of an issue. They post to `/d/<digest>/state` and work without
 * scripts. The menus are popovers: the browser opens them, closes them on Escape and orders the
 * focus.
 */
import type { ReactNode } from "react";
import type { IssueState } from "../../core/issue/issue.ts";
import type { Digest } from "../../core/report.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { ChevronIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber } from "../parts/number.tsx";
import { toIssueActionUrl } from "../urls/issue-urls.ts";

const RELEASE_CHARS = 32;

/** The actions in each state. The others become available after "Reopen". */
const ACTIONS_BY_STATE: Readonly<Record<IssueState, readonly IssueAction[]>> = {
  open: ["resolve", "ignore", "mute"],
  resolved: ["reopen"],
  ignored: ["resolve", "mute", "reopen"],
  muted: ["resolve", "reopen"],
};

type IssueAction = "resolve" | "ignore" | "mute" | "reopen";

/** The buttons for the current state of the issue. `release` is its latest one. */
export function IssueActions({
  digest,
  state,
  release,
}: {
  digest: Digest;
  state: IssueState;
  release: string | undefined;
}) {
  const offered = ACTIONS_BY_STATE[state];
  const path = toIssueActionUrl(digest, "state");
  return (
    <>
      {offered.includes("resolve") && <ResolveButton path={path} release={release} />}
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

/** A form with one button that sets a state. */
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
          <DecisionOption name="release" value={release} hint="Older releases may still report it">
            In <bdi>{abbreviate(release, RELEASE_CHARS)}</bdi>
          </DecisionOption>
        )}
        <DecisionOption name="inNextRelease" value="1" hint="Current releases may still report it">
          In the next release
        </DecisionOption>
      </DecisionMenu>
    </div>
  );
}

const IGNORE_DURATIONS = [
  ["1h", "For 1 hour"],
  ["1d", "For 1 day"],
  ["7d", "For 1 week"],
  ["30d", "For 30 days"],
] as const;
const IGNORE_COUNTS = [10, 100, 1_000];

function IgnoreMenu({ path }: { path: string }) {
  const opener = (
    <>
      Ignore <ChevronIcon />
    </>
  );
  return (
    <DecisionMenu path={path} state="ignored" label="Ignore temporarily" opener={opener} hotkey="i">
      {IGNORE_DURATIONS.map(([value, text]) => (
        <DecisionOption key={value} name="duration" value={value}>
          {text}
        </DecisionOption>
      ))}
      {IGNORE_COUNTS.map((count) => (
        <DecisionOption key={count} name="count" value={String(count)}>
          Until seen {formatNumber(count)} more times
        </DecisionOption>
      ))}
    </DecisionMenu>
  );
}

/** A menu of submit buttons. Each button adds one field to the state that the form sets. */
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
