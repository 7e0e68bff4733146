/**
 * The new issues of a release as a bar. All bars of a table have the same scale. Hidden from screen
 * readers, because the number is next to it.
 */

const WIDTH = 72;
const HEIGHT = 6;

/** The bar; `maxCount`, at least 1, is its whole width. */
export function NewIssuesBar({
  count,
  maxCount,
}: {
  readonly count: number;
  readonly maxCount: number;
}) {
  const width = count === 0 ? 0 : Math.max(2, (WIDTH * count) / maxCount);
  return (
    <svg className="new-issues-bar" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect data-part="scale" width={WIDTH} height={HEIGHT} />
      <rect width={width} height={HEIGHT} />
    </svg>
  );
}
