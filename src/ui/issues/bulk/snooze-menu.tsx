/**
 * The menu *Snooze*, the same wherever an issue is decided: submit buttons of the form around them,
 * one for each entry. The first one gets the focus, so `s` and Enter snooze until the issue
 * escalates; *Archive* is the last. Without scripts, tomorrow is that of UTC.
 */
import type { ReactNode } from "react";
import { ISSUE_STATES } from "../../../core/issue/issue-states.ts";
import { SNOOZE_OPTIONS } from "../../../core/issue/snooze-options.ts";
import { MarkIcon } from "../../parts/icons.tsx";
import { abbreviate } from "../../parts/long-text.tsx";

const RELEASE_CHARS = 32;

interface SnoozeOptionsProps {
  /** The field of the buttons. In a row, a script adds the digest to their words. */
  readonly name: "do" | "row";
  /** The present release of the issue, if it is one. */
  readonly release?: string | undefined;
}

/** The entries, for a form or a popover with the class `menu`. */
export function SnoozeOptions({ name, release }: SnoozeOptionsProps) {
  return (
    <>
      {SNOOZE_OPTIONS.map(({ word, text }) => (
        <button
          key={word}
          type="submit"
          className={GROUP_STARTS.includes(word) ? "menu-group" : undefined}
          name={name}
          value={word}
          data-word={name === "row" ? word : undefined}
          data-new-state="snoozed"
          // A swipe shows it, without the key.
          aria-label={word === "snooze" ? `${ISSUE_STATES.snoozed.verb} ${text}` : undefined}
        >
          {word === "snooze" && <MarkIcon mark="escalating" />}
          <span>
            {word === "snooze-release" && release !== undefined ? (
              <>
                Until a release after <bdi>{abbreviate(release, RELEASE_CHARS)}</bdi>
              </>
            ) : (
              capitalize(text)
            )}
            {word === "snooze-tomorrow" && <span data-zone-name=""> UTC</span>}
          </span>
          {word === "snooze" && <small className="menu-end" data-key="Enter" />}
        </button>
      ))}
      <button
        type="submit"
        className="menu-group"
        name={name}
        value="archive"
        data-word={name === "row" ? "archive" : undefined}
        data-new-state="archived"
        data-menu-key={ISSUE_STATES.archived.key}
      >
        <MarkIcon mark="archived" />
        <span>Archive, for good</span>
        <kbd className="menu-end">{ISSUE_STATES.archived.key}</kbd>
      </button>
    </>
  );
}

/**
 * The time zone of *tomorrow*, once in each form with the entries. A script names that of the
 * browser, and hides the zone in the label.
 */
export function TimeZoneField() {
  return <input type="hidden" name="timeZone" value="UTC" data-time-zone="" />;
}

/** The entries with a rule above. */
const GROUP_STARTS: readonly string[] = ["snooze-10"];

/** The button that opens a menu with this id. */
export function SnoozeButton({
  menu,
  tabIndex,
  children = ISSUE_STATES.snoozed.verb,
}: {
  readonly menu: string;
  readonly tabIndex?: number;
  readonly children?: ReactNode;
}) {
  const { key, verb } = ISSUE_STATES.snoozed;
  return (
    <button
      type="button"
      className="menu-button"
      popoverTarget={menu}
      tabIndex={tabIndex}
      title={`${verb} (${key})`}
      aria-label={`${verb}…`}
      data-shortcut={key}
    >
      {children}
    </button>
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
