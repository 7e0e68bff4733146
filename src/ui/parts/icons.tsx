/** Inline SVG icons in the color of the surrounding text, hidden from screen readers. */

import type { IssueState } from "../../core/issue/issue-states.ts";
import { NOTICE_MARK } from "../../core/notice-mark.ts";
import type { AttentionReason } from "../../core/overview/attention.ts";

const STROKE = {
  fill: "none",
  stroke: "currentColor",
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/** A proofreader's deletion mark, shown in the margin of a notice. */
export function CorrectionIcon() {
  return (
    <svg className="correction-mark" viewBox="0 0 24 40" width="24" height="40" aria-hidden="true">
      <path d={NOTICE_MARK} {...STROKE} strokeWidth="2" />
    </svg>
  );
}

/** What the glyph of an issue shows: its state, or what is special about an open one. */
export type IssueMark = IssueState | "new" | "regressed" | "escalating";

const MARK_PATHS: Readonly<Record<IssueMark, string>> = {
  open: "M8 3.5a4.5 4.5 0 1 0 0 9A4.5 4.5 0 1 0 8 3.5z",
  new: "M8 4.8a3.2 3.2 0 1 0 0 6.4A3.2 3.2 0 1 0 8 4.8z",
  regressed: "M12.5 9.5A4.75 4.75 0 1 1 11.4 4.9L13 6.5M13 3v3.5H9.5",
  escalating: "M2.5 12 6.5 8l2.5 2.5L13.5 5M9.5 5h4v4",
  snoozed: "M8 3a5.25 5.25 0 1 0 0 10.5A5.25 5.25 0 1 0 8 3zM8 5.5v3l2 1.5",
  resolved: "M3 8.5 6.5 12 13 4.5",
  archived: "M2.5 3.5h11v3h-11zM3.5 6.5v6.5h9V6.5M6.5 9h3",
};

/**
 * The glyph of an issue: a ring (open), a dot (new), a returning arrow (regressed), a rising arrow
 * (escalating), a clock (snoozed), a tick (resolved) or a box (archived).
 */
export function MarkIcon({ mark }: { mark: IssueMark }) {
  return (
    <svg className="state-glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={MARK_PATHS[mark]}
        {...STROKE}
        fill={mark === "new" ? "currentColor" : "none"}
        strokeWidth={mark === "new" ? 0 : 1.75}
      />
    </svg>
  );
}

/** A head and shoulders, for assigning. */
export function PersonIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d="M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-2.6 2.4-4 5-4s4.5 1.4 5 4"
        {...STROKE}
        strokeWidth="1.75"
      />
    </svg>
  );
}

const CIRCLE_PATH = "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3z";

const ATTENTION_PATHS: Readonly<Record<AttentionReason["kind"], string>> = {
  escalating: "M2.5 12 6.5 8l2.5 2.5L13.5 5M9.5 5h4v4",
  regressed: "M12.5 9.5A4.75 4.75 0 1 1 11.4 4.9L13 6.5M13 3v3.5H9.5",
  new: "M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5z",
  assigned: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-2.6 2.4-4 5-4s4.5 1.4 5 4",
  "snooze-ended": "M8 3a5.25 5.25 0 1 0 0 10.5A5.25 5.25 0 1 0 8 3zM8 5.5v3l2 1.5",
  message: "M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2z",
  "most-users": CIRCLE_PATH,
  oldest: CIRCLE_PATH,
  "no-source-map": CIRCLE_PATH,
  occurred: CIRCLE_PATH,
};

/** The shape of a reason for which an issue needs attention. */
export function AttentionIcon({ kind }: { kind: AttentionReason["kind"] }) {
  return (
    <svg className="attention-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={ATTENTION_PATHS[kind]}
        {...STROKE}
        strokeWidth="1.5"
        fill={kind === "new" ? "currentColor" : "none"}
      />
    </svg>
  );
}

/** A globe, for what was sent with a public key or none. */
export function GlobeIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d="M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 1 0 0-12.5zM1.75 8h12.5M8 1.75c2 1.9 2.75 4 2.75 6.25S10 12.35 8 14.25M8 1.75C6 3.65 5.25 5.75 5.25 8S6 12.35 8 14.25"
        {...STROKE}
        strokeWidth="1.25"
      />
    </svg>
  );
}

/** Two racks, for what a server sent. */
export function ServerIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d="M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01" {...STROKE} strokeWidth="1.25" />
    </svg>
  );
}

/** Three dots, for rare actions. */
export function MoreIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M3 8h.01M8 8h.01M13 8h.01" {...STROKE} strokeWidth="2.5" />
    </svg>
  );
}

/** A chevron for buttons that open a menu. */
export function ChevronIcon() {
  return (
    <svg className="chevron" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="m4 6 4 4 4-4" {...STROKE} strokeWidth="1.75" />
    </svg>
  );
}

/** An arrow for links to the previous and the next item. */
export function ArrowIcon({ direction }: { direction: "left" | "right" }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={direction === "left" ? "M9.5 3.5 5 8l4.5 4.5" : "M6.5 3.5 11 8l-4.5 4.5"}
        {...STROKE}
        strokeWidth="1.75"
      />
    </svg>
  );
}

/** A cross for what removes something. */
export function CrossIcon() {
  return (
    <svg className="cross" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path d="m4 4 8 8M12 4l-8 8" {...STROKE} strokeWidth="1.75" />
    </svg>
  );
}

/** A magnifying glass. */
export function SearchIcon() {
  return (
    <svg className="search-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9zM10.25 10.25 14 14"
        {...STROKE}
        strokeWidth="1.5"
      />
    </svg>
  );
}

/** A triangle with an exclamation mark, for what needs attention. */
export function WarningIcon() {
  return (
    <svg className="warning-icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d="M8 2.25 14.25 13.5H1.75zM8 6.5v3M8 11.4v.1" {...STROKE} strokeWidth="1.5" />
    </svg>
  );
}

/** A picture with a hill and a sun, for the choice of a picture. */
export function PictureIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d="M2 3h12v10H2zM2 11l3.5-3.5L9 11l2-2 3 3M10.75 5.9h.01"
        {...STROKE}
        strokeWidth="1.4"
      />
    </svg>
  );
}
