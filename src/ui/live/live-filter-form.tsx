/**
 * The filter of the live page. It is part of the URL, so it works without scripts and applies to
 * later reports.
 */
import { limits } from "../../core/limits.ts";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import type { LiveFilter } from "./live-filter.ts";

/** Kinds of reports with their labels. */
const KIND_LABELS: Readonly<Record<string, string>> = {
  error: "Errors",
  message: "Messages",
  csp: "CSP violations",
  browser: "Other browser reports",
  network: "Failed connections",
  notice: "Notices shown",
  feedback: "Feedback",
};

const SIDE_LABELS: Readonly<Record<string, string>> = { server: "Servers", browser: "Browsers" };

export function LiveFilterForm({ filter }: { filter: LiveFilter }) {
  return (
    <DeskForm className="live-filter" action="/live" method="get">
      <label>
        <span>Text</span>{" "}
        <input
          name="q"
          type="search"
          maxLength={limits.maxLiveFilterChars}
          defaultValue={filter.q}
          autoComplete="off"
          spellCheck={false}
        />
      </label>{" "}
      <FilterSelect
        name="kind"
        label="Kind"
        allLabel="All kinds"
        labels={KIND_LABELS}
        selected={filter.kind}
      />{" "}
      <FilterSelect
        name="side"
        label="From"
        allLabel="Servers and browsers"
        labels={SIDE_LABELS}
        selected={filter.side}
      />{" "}
      <button type="submit">Filter</button>
      {Object.values(filter).some((value) => value !== undefined) && (
        <>
          {" "}
          <DeskLink href="/live">Clear filter</DeskLink>
        </>
      )}
    </DeskForm>
  );
}

/** Parses a filter from URL parameters. Ignores unknown kinds and sides. */
export function parseLiveFilter(params: Readonly<Record<string, string>>): LiveFilter {
  const { q = "", kind = "", side = "" } = params;
  return {
    q: q.trim().slice(0, limits.maxLiveFilterChars).toLowerCase() || undefined,
    kind: Object.hasOwn(KIND_LABELS, kind) ? kind : undefined,
    side: Object.hasOwn(SIDE_LABELS, side) ? side : undefined,
  };
}

function FilterSelect({
  name,
  label,
  allLabel,
  labels,
  selected,
}: {
  name: string;
  label: string;
  allLabel: string;
  labels: Readonly<Record<string, string>>;
  selected: string | undefined;
}) {
  return (
    <label>
      <span>{label}</span>{" "}
      <select name={name} defaultValue={selected}>
        <option value="">{allLabel}</option>
        {Object.entries(labels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
