/**
 * Forms that change the state of an issue. They post to `/d/<digest>/state` and work without
 * scripts. The menus are popovers: the browser opens them, closes them on Escape and orders the
 * focus.
 */
import type { ReactNode } from "react";
import { ISSUE_STATES, type IssueState } from "../../core/issue/issue-states.ts";
import type { Digest } from "../../core/report.ts";
import { SnoozeButton, SnoozeOptions, TimeZoneField } from "../issues/bulk/snooze-menu.tsx";
import { DeskForm } from "../parts/desk-context.tsx";
import { ChevronIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { toIssueActionUrl } from "../urls/issue-urls.ts";

const RELEASE_CHARS = 32;

/** The states that each can be changed to. The others become available after "Reopen". */
const NEXT_STATES: Readonly<Record<IssueState, readonly IssueState[]>> = {
  open: ["resolved", "snoozed", "archived"],
  snoozed: ["resolved", "snoozed", "archived", "open"],
  resolved: ["open"],
  archived: ["resolved", "open"],
};

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
  const offered = NEXT_STATES[state];
  const path = toIssueActionUrl(digest, "state");
  return (
    <>
      {offered.includes("resolved") && <ResolveButton path={path} release={release} />}
      {offered.includes("snoozed") && <SnoozeMenu path={path} release={release} />}
      {offered.includes("archived") && <DecisionButton path={path} state="archived" />}
      {offered.includes("open") && <DecisionButton path={path} state="open" />}
    </>
  );
}

/** The menu *Snooze* of one issue; `release` is its latest one. */
export function SnoozeMenu({ path, release }: { path: string; release: string | undefined }) {
  return (
    <>
      <SnoozeButton menu="snooze-menu">
        {ISSUE_STATES.snoozed.verb} <ChevronIcon />
      </SnoozeButton>
      <DeskForm
        id="snooze-menu"
        className="menu snooze-menu"
        popover="auto"
        method="post"
        action={path}
      >
        <TimeZoneField />
        <SnoozeOptions name="do" release={release} />
      </DeskForm>
    </>
  );
}

/** A form with one button that sets a state. */
function DecisionButton({ path, state }: { path: string; state: IssueState }) {
  const { verb, key } = ISSUE_STATES[state];
  return (
    <DeskForm method="post" action={path}>
      <button type="submit" name="state" value={state} data-shortcut={key}>
        {verb}
      </button>
    </DeskForm>
  );
}

function ResolveButton({ path, release }: { path: string; release: string | undefined }) {
  return (
    <div className="split">
      <DecisionButton path={path} state="resolved" />
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

/** A menu of submit buttons. Each button adds one field to the state that the form sets. */
function DecisionMenu({
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
      <button type="button" className="menu-button" popoverTarget={id} aria-label={label}>
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
  name: "release" | "inNextRelease";
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
