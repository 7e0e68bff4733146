/** The report's tags. Long ones are abbreviated; the report's JSON has them in full. */
import { abbreviate } from "../../parts/long-text.tsx";

const KEY_CHARS = 40;
const VALUE_CHARS = 120;
/** Further tags are collapsed. */
const MAX_SHOWN = 20;

/** The tags as pairs. */
export function Tags({
  tags,
}: {
  tags: readonly (readonly [key: string, value: string])[] | undefined;
}) {
  if (tags === undefined || tags.length === 0) return null;
  return (
    <section className="tags">
      <h3>Tags</h3>
      <TagItems tags={tags.slice(0, MAX_SHOWN)} />
      {tags.length > MAX_SHOWN && (
        <details>
          <summary>{tags.length - MAX_SHOWN} more</summary>
          <TagItems tags={tags.slice(MAX_SHOWN)} />
        </details>
      )}
    </section>
  );
}

function TagItems({ tags }: { tags: readonly (readonly [key: string, value: string])[] }) {
  return (
    <ul>
      {tags.map(([key, value], index) => (
        <li key={index}>
          <bdi className="tag-key">{abbreviate(key, KEY_CHARS)}</bdi>{" "}
          <bdi>{abbreviate(value, VALUE_CHARS)}</bdi>
        </li>
      ))}
    </ul>
  );
}
