/** What of the arrivals is shown: a form that the address keeps, so that it holds without scripts and for what comes later. */
import { limits } from "../../core/limits.ts";
import { present } from "../../core/present.ts";
import { A, Form } from "../place.tsx";
import type { ArrivalFilter } from "./passes.ts";

/** Kinds of reports with the words for them. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  error: "Errors",
  message: "Messages",
  csp: "Policy violations",
  browser: "Other browser reports",
  network: "Failed connections",
  notice: "Notices shown",
  feedback: "Feedback",
};

const SIDE_WORDS: Readonly<Record<string, string>> = { server: "Servers", browser: "Browsers" };

/** The form. */
export function ArrivalFilterForm({ filter }: { readonly filter: ArrivalFilter }) {
  return (
    <Form className="arrival-filter" action="/live" method="get">
      <label>
        <span>Words</span>{" "}
        <input
          name="q"
          type="search"
          maxLength={limits.maxArrivalFilterChars}
          defaultValue={filter.q}
          autoComplete="off"
          spellCheck={false}
        />
      </label>{" "}
      <Choice name="kind" label="Kind" all="All kinds" words={KIND_WORDS} chosen={filter.kind} />{" "}
      <Choice name="side" label="From" all="Both sides" words={SIDE_WORDS} chosen={filter.side} />{" "}
      <button type="submit">Filter</button>
      {Object.keys(filter).length > 0 && (
        <>
          {" "}
          <A href="/live">Show all</A>
        </>
      )}
    </Form>
  );
}

/** A filter from an address: what is no kind and no side is left out. */
export function readArrivalFilter(asked: Readonly<Record<string, string>>): ArrivalFilter {
  const { q = "", kind = "", side = "" } = asked;
  return present({
    q: q.trim().slice(0, limits.maxArrivalFilterChars).toLowerCase() || undefined,
    kind: Object.hasOwn(KIND_WORDS, kind) ? kind : undefined,
    side: Object.hasOwn(SIDE_WORDS, side) ? side : undefined,
  });
}

function Choice({
  name,
  label,
  all,
  words,
  chosen,
}: {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly words: Readonly<Record<string, string>>;
  readonly chosen: string | undefined;
}) {
  return (
    <label>
      <span>{label}</span>{" "}
      <select name={name} defaultValue={chosen}>
        <option value="">{all}</option>
        {Object.entries(words).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}
