/** An issue's tags and how its occurrences are distributed over their values. */
import type { Issue } from "../../../core/issue/issue.ts";
import { isExpressible } from "../../../core/issue/issue-query.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { hasSeveralValues, TopValueList } from "./top-value-list.tsx";

const KEY_CHARS = 40;
const MAX_SHOWN_VALUES = 4;
/** Further keys are collapsed. */
const MAX_SHOWN_KEYS = 4;

/** A list of values per key. Keys with several values come first. */
export function TagDistribution({ tags }: { readonly tags: Issue["tags"] }) {
  const all = Object.entries(tags ?? {});
  if (all.length === 0) return null;
  const sorted = [
    ...all.filter(([, topValues]) => hasSeveralValues(topValues)),
    ...all.filter(([, topValues]) => !hasSeveralValues(topValues)),
  ];
  const hiddenKeys = sorted.slice(MAX_SHOWN_KEYS);
  return (
    <section className="tag-distribution">
      <h2>Tags</h2>
      <TagKeys tags={sorted.slice(0, MAX_SHOWN_KEYS)} />
      {hiddenKeys.length > 0 && (
        <details>
          <summary>{hiddenKeys.length} more</summary>
          <TagKeys tags={hiddenKeys} />
        </details>
      )}
    </section>
  );
}

function TagKeys({ tags }: { tags: readonly (readonly [key: string, topValues: TopValues])[] }) {
  return tags.map(([key, topValues]) => {
    const filter = `tag.${key}` as const;
    return (
      <div key={key} className="tag-values">
        <h3>
          <bdi>{abbreviate(key, KEY_CHARS)}</bdi>
        </h3>
        <TopValueList
          topValues={topValues}
          filter={isExpressible(filter) ? filter : undefined}
          limit={MAX_SHOWN_VALUES}
        />
      </div>
    );
  });
}
