/**
 * One arrival on one row; and the template of the rows that come later, which has every part: a script fills in those that an arrival
 * has, and takes out the others.
 */
import type { ReactNode } from "react";
import type { Arrival } from "../../core/arrival.ts";
import { headOf } from "../long-text.tsx";

const MESSAGE_CHARS = 300;

/** The row of an arrival, or without one the template's. */
export function ArrivalRow({ arrival }: { readonly arrival?: Arrival | undefined }) {
  const of = arrival ?? {};
  return (
    <li className="arrival">
      <Part of={of} name="atMs">
        {arrival && clockOf(arrival.atMs)}
      </Part>{" "}
      <span className="what">
        <Part of={of} name="isNew">
          {arrival && "New"}
        </Part>{" "}
        <a href={arrival && `/d/${arrival.digest}?report=${arrival.id}`}>
          <Part of={of} name="type">
            {arrival && (arrival.type || arrival.kind)}
          </Part>{" "}
          <Part of={of} name="message">
            {arrival && headOf(arrival.message, MESSAGE_CHARS)}
          </Part>
        </a>{" "}
        <Part of={of} name="times">
          ×{arrival?.times}
        </Part>
      </span>{" "}
      <span className="facts">
        {FACTS.map((name) => (
          <Part key={name} of={of} name={name}>
            {arrival?.[name]}
          </Part>
        ))}
      </span>
    </li>
  );
}

const FACTS = ["side", "where", "route", "release", "browser"] as const;

/** Parts that look as they do elsewhere. */
const LOOKS: Readonly<Partial<Record<PartName, string>>> = { type: "type", isNew: "new" };

type PartName = (typeof FACTS)[number] | "atMs" | "isNew" | "type" | "message" | "times";

function Part({
  of,
  name,
  children,
}: {
  readonly of: Partial<Arrival>;
  readonly name: PartName;
  readonly children: ReactNode;
}) {
  const isTemplate = of.digest === undefined;
  if (!isTemplate && of[name] === undefined) return null;
  return (
    <bdi data-part={name} className={LOOKS[name]}>
      {children}
    </bdi>
  );
}

/** `17:41:43`; a sender's clock may say anything. */
function clockOf(atMs: number): string {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString().slice(-13, -5);
}
