/**
 * The placeholder of content that is still loading: grey lines of its usual height, and a short
 * text for screen readers and for pages without the style sheet.
 */

/** The shape of the content; the heights are in `skeleton.css`. */
type SkeletonShape = "rows" | "stack" | "text" | "figures" | "table";

/** The usual number of lines of each shape. */
const LINES_BY_SHAPE: Readonly<Record<SkeletonShape, number>> = {
  rows: 8,
  stack: 9,
  text: 3,
  figures: 2,
  table: 12,
};

/** The placeholder; `label` completes "Loading …". */
export function Skeleton({ shape, label }: { shape: SkeletonShape; label: string }) {
  return (
    <div className="skeleton" data-shape={shape}>
      <p>Loading {label}…</p>
      {Array.from({ length: LINES_BY_SHAPE[shape] }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
