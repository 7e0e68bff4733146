/** Inline SVG icons in the color of the surrounding text, hidden from screen readers. */
import type { IssueState } from "../../core/issue/issue.ts";
import { NOTICE_MARK } from "../../core/notice-mark.ts";

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

const CIRCLE_PATH = "M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3z";

const STATE_PATHS: Readonly<Record<IssueState, string>> = {
  open: CIRCLE_PATH,
  resolved: "M3 8.5 6.5 12 13 4.5",
  ignored: `${CIRCLE_PATH}M8 5v3l2 1.5`,
  muted: `${CIRCLE_PATH}M3.5 12.5l9-9`,
};

/**
 * The icon of a state: a ring (open), a tick (resolved), a clock (ignored), a struck ring (muted).
 */
export function StateIcon({ state }: { state: IssueState }) {
  return (
    <svg className="state-glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={STATE_PATHS[state]} {...STROKE} strokeWidth={state === "ignored" ? 1.5 : 2} />
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

/** A chevron for buttons that open a menu. */
export function ChevronIcon() {
  return (
    <svg className="chevron" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="m4 6 4 4 4-4" {...STROKE} strokeWidth="1.75" />
    </svg>
  );
}

/** Two sliders, for the settings. */
export function SlidersIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2 5h6m4 0h2M2 11h2m4 0h6M10 3v4M6 9v4" {...STROKE} strokeWidth="1.5" />
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
