/**
 * What stands where something has yet to arrive: grey lines of its height, and for those who read without a style sheet or
 * by ear one short sentence.
 */

/** How tall the thing is that will come; the heights are in `styles/skeleton.css`. */
export type SkeletonShape = "rows" | "stack" | "receipt";

/** Lines per shape: what is usual, not what is largest. */
const LINES_BY_SHAPE: Readonly<Record<SkeletonShape, number>> = {
  rows: 8,
  stack: 9,
  receipt: 3,
};

/** The placeholder; `label` completes "Loading …". */
export function Skeleton({
  shape,
  label,
}: {
  readonly shape: SkeletonShape;
  readonly label: string;
}) {
  return (
    <div className="skeleton" data-shape={shape}>
      <p>Loading {label}…</p>
      {Array.from({ length: LINES_BY_SHAPE[shape] }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
