/**
 * One arrival on one row; and the template of the rows that come later, which has every part: a script fills in those that an arrival
 * has, and takes out the others.
 */
import type { Arrival } from "../../core/arrival.ts";
import { reportUrl } from "../issue/issue-url.ts";
import { A } from "../place.tsx";
import { type PartName, saidOf } from "./said-of.ts";

/** The row of an arrival, or without one the template's. */
export function ArrivalRow({ arrival }: { readonly arrival?: Arrival | undefined }) {
  const said = arrival && saidOf(arrival);
  return (
    <li className="arrival">
      <Part said={said} name="atMs" />{" "}
      <span className="what">
        <Part said={said} name="isNew" />{" "}
        <A href={arrival && reportUrl(arrival.digest, arrival.id)}>
          <Part said={said} name="type" /> <Part said={said} name="message" />
        </A>{" "}
        <Part said={said} name="times" />
      </span>{" "}
      <span className="facts">
        {FACTS.map((name) => (
          <Part key={name} said={said} name={name} />
        ))}
      </span>
    </li>
  );
}

const FACTS = ["side", "where", "route", "release", "browser"] as const;

/** Parts that look as they do elsewhere. */
const LOOKS: Readonly<Partial<Record<PartName, string>>> = { type: "type", isNew: "new" };

function Part({
  said,
  name,
}: {
  readonly said: ReturnType<typeof saidOf> | undefined;
  readonly name: PartName;
}) {
  if (said && !said[name]) return null;
  return (
    <bdi data-part={name} className={LOOKS[name]}>
      {said?.[name]}
    </bdi>
  );
}
