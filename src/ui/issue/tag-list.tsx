/** What the sender tagged the report with. Long ones are cut here; the report's JSON has them whole. */
import { headOf } from "../long-text.tsx";

const KEY_CHARS = 40;
const VALUE_CHARS = 120;
/** The others wait behind a summary. */
const SHOWN = 20;

/** Tags as pairs; nothing when there are none. */
export function TagList({
  tags,
}: {
  readonly tags: readonly (readonly [key: string, value: string])[] | undefined;
}) {
  if (tags === undefined || tags.length === 0) return null;
  return (
    <section className="tags">
      <h3>Tags</h3>
      <Pairs tags={tags.slice(0, SHOWN)} />
      {tags.length > SHOWN && (
        <details>
          <summary>{tags.length - SHOWN} more</summary>
          <Pairs tags={tags.slice(SHOWN)} />
        </details>
      )}
    </section>
  );
}

function Pairs({ tags }: { tags: readonly (readonly [key: string, value: string])[] }) {
  return (
    <ul>
      {tags.map(([key, value], index) => (
        <li key={index}>
          <bdi className="tag-key">{headOf(key, KEY_CHARS)}</bdi>{" "}
          <bdi>{headOf(value, VALUE_CHARS)}</bdi>
        </li>
      ))}
    </ul>
  );
}
