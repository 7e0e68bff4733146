/**
 * The values of the reports of an issue, as differences: what is unlike other issues is shown, what
 * is as usual is folded. Each row opens to the distribution of its values, whose links find issues.
 */
import {
  type Comparison,
  MAX_REPORTS,
  MIN_USUAL_REPORTS,
} from "../../../core/differences/find-differences.ts";
import { countLevels } from "../../../core/issue/describe-issue.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { type FilterKey, isExpressible } from "../../../core/issue/issue-query.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import { formatShare } from "../../../core/numbers.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { ShareBar, TopValueList } from "./top-value-list.tsx";

const KEY_CHARS = 40;
const VALUE_CHARS = 60;
/** Further rows of values whose usual share is not known are folded. */
const MAX_SHOWN = 4;

/** A key with its values, and by which names it is compared with other issues. */
interface TagKey {
  readonly label: string;
  readonly values: TopValues;
  readonly filter: FilterKey | undefined;
  readonly attributes: readonly string[];
}

/** A row: one value, its share, and the share that is usual. */
interface TagRow extends TagKey {
  readonly value: string;
  readonly share: number;
  readonly usual: number | undefined;
  readonly isDifferent: boolean;
}

/** The rows; nothing for an issue without values. */
export function TagRows({ issue, comparison }: { issue: Issue; comparison: Comparison }) {
  const rows = listKeys(issue).flatMap((key) => toRow(key, comparison) ?? []);
  if (rows.length === 0) return null;
  const different = rows.filter(({ isDifferent }) => isDifferent);
  const unknown = rows.filter(({ isDifferent, usual }) => !isDifferent && usual === undefined);
  const several = unknown.filter(hasSeveralValues);
  // One value of all reports says little, unless nothing says more.
  const further = different.length + several.length > 0 ? several : unknown;
  const shown = [...different, ...further].slice(0, Math.max(MAX_SHOWN, different.length));
  const folded = rows.filter((row) => !shown.includes(row));
  const isAllUsual = folded.every(({ usual }) => usual !== undefined);
  return (
    <section className="tag-rows" aria-labelledby="differences-heading">
      <div className="section-head">
        <h2 id="differences-heading">{different.length > 0 ? "What is different" : "Tags"}</h2>
        {shown.some(({ usual }) => usual !== undefined) && (
          <span className="section-note">
            <span className="usual-key" aria-hidden="true" /> usual share
          </span>
        )}
      </div>
      <Rows rows={shown} />
      {folded.length > 0 && (
        <details className="tag-fold">
          <summary>
            {folded.length} more{isAllUsual && shown.length > 0 ? ", all as usual" : ""}
          </summary>
          <Rows rows={folded} />
        </details>
      )}
      {different.length > 0 && (
        <p className="muted">
          Compared with issues of the same days, by at most {MAX_REPORTS} reports of each.{" "}
          <a href="/docs/issues#what-is-different">The rule</a>
        </p>
      )}
    </section>
  );
}

function Rows({ rows }: { rows: readonly TagRow[] }) {
  return (
    <ul>
      {rows.map(({ label, values, filter, value, share, usual, isDifferent }) => (
        <li key={label}>
          <details className="tag-row" data-different={isDifferent ? "" : undefined}>
            <summary>
              <span className="tag-value">
                <bdi>{abbreviate(value, VALUE_CHARS) || "(empty)"}</bdi>{" "}
                <small>
                  <bdi>{abbreviate(label, KEY_CHARS)}</bdi>
                </small>
              </span>{" "}
              {(share < 1 || usual !== undefined || isDifferent) && (
                <>
                  <span className="tag-share">
                    {formatShare(share)}
                    {usual !== undefined && <small> usually {formatShare(usual)}</small>}
                    {isDifferent && usual === undefined && <small> rare elsewhere</small>}
                  </span>
                  <ShareBar share={share} usual={usual} />
                </>
              )}
            </summary>
            <TopValueList topValues={values} filter={filter} />
          </details>
        </li>
      ))}
    </ul>
  );
}

/** Tags that are compared under a name of their own. */
const NAMES: Readonly<Record<string, string>> = {
  os: "system",
  viewport: "screen",
  language: "language",
  translated: "translated",
};

function listKeys(issue: Issue): readonly TagKey[] {
  const { releases, environments, browsers, pages, tags = {} } = issue;
  const common: readonly (readonly [string, TopValues | undefined, FilterKey, ...string[]])[] = [
    ["release", releases, "release", "release"],
    ["environment", environments, "env", "environment"],
    ["browser", browsers, "browser", "browser version", "browser"],
    ["page", pages, "url", "page"],
    ["level", countLevels(issue), "level"],
  ];
  return [
    ...common.flatMap(([label, values, filter, ...attributes]) =>
      values === undefined || values.values.length === 0
        ? []
        : { label, values, filter, attributes },
    ),
    ...Object.entries(tags).map(([label, values]): TagKey => {
      const filter = `tag.${label}` as const;
      const name = Object.hasOwn(NAMES, label) ? NAMES[label] : undefined;
      const attributes = [name ?? `tag ${label}`];
      return { label, values, filter: isExpressible(filter) ? filter : undefined, attributes };
    }),
  ];
}

function toRow(key: TagKey, { differences, usual }: Comparison): TagRow | undefined {
  const isOfKey = ({ attribute }: { attribute: string }) => key.attributes.includes(attribute);
  const different = differences.find(isOfKey);
  if (different !== undefined) {
    const { value, share, otherShare, otherReports } = different;
    const isKnown = otherReports >= MIN_USUAL_REPORTS;
    return { ...key, value, share, usual: isKnown ? otherShare : undefined, isDifferent: true };
  }
  const [name] = key.attributes;
  const known = usual.find(({ attribute }) => attribute === name);
  if (known !== undefined) return { ...key, ...known, usual: known.otherShare, isDifferent: false };
  const [top] = key.values.values;
  if (top === undefined) return undefined;
  const total = key.values.values.reduce((sum, [, count]) => sum + count, key.values.otherCount);
  return { ...key, value: top[0], share: top[1] / total, usual: undefined, isDifferent: false };
}

function hasSeveralValues({ values }: TagKey): boolean {
  return values.values.length > 1 || values.otherCount > 0;
}
