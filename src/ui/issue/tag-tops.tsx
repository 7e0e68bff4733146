/** The tags of an issue and how its occurrences are spread over their values. */
import type { Issue } from "../../core/issue.ts";
import { isWritable } from "../../core/issue-query.ts";
import type { Tops } from "../../core/tops.ts";
import { headOf } from "../long-text.tsx";
import { hasSeveral, TopList } from "./top-list.tsx";

const KEY_CHARS = 40;
const SHOWN_VALUES = 4;
/** The keys beyond these wait behind a summary. */
const SHOWN_KEYS = 4;

/** A list of values for each key: those that differ first, then those of which all have the same. Nothing where there are none. */
export function TagTops({ tags }: { readonly tags: Issue["tags"] }) {
  const all = Object.entries(tags ?? {});
  if (all.length === 0) return null;
  const sorted = [
    ...all.filter(([, tops]) => hasSeveral(tops)),
    ...all.filter(([, tops]) => !hasSeveral(tops)),
  ];
  const more = sorted.slice(SHOWN_KEYS);
  return (
    <section className="tag-tops">
      <h2>Tags</h2>
      <Keys tags={sorted.slice(0, SHOWN_KEYS)} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          <Keys tags={more} />
        </details>
      )}
    </section>
  );
}

function Keys({ tags }: { tags: readonly (readonly [key: string, tops: Tops])[] }) {
  return tags.map(([key, tops]) => {
    const filter = `tag.${key}` as const;
    return (
      <div key={key} className="tag-key-tops">
        <h3>
          <bdi>{headOf(key, KEY_CHARS)}</bdi>
        </h3>
        <TopList
          tops={tops}
          filter={isWritable(filter) ? filter : undefined}
          shown={SHOWN_VALUES}
        />
      </div>
    );
  });
}
