/** What people wrote about an issue, and who they are where they said so. */
import type { Mark } from "../../core/issue.ts";
import type { Json, Report } from "../../core/report.ts";
import { headOf } from "../long-text.tsx";
import { Time } from "../time.tsx";
import { reportHref } from "./report-stepper.tsx";

const SAID_CHARS = 200;
const WHO_CHARS = 120;

/** Who wrote one report of feedback; nothing when it is none, or nobody said. */
export function Writer({ report }: { readonly report: Report }) {
  if (report.kind !== "feedback") return null;
  const who = [memberOf(report.detail, "name"), memberOf(report.detail, "contact_email")]
    .filter((part) => part !== undefined)
    .map((part) => headOf(part, WHO_CHARS));
  if (who.length === 0) return null;
  return (
    <p className="writer">
      Written by <bdi>{who.join(", ")}</bdi>
    </p>
  );
}

/** The newest of what was written, each leading to its report. */
export function FeedbackList({
  marks,
  current,
  nowMs,
}: {
  readonly marks: readonly Mark[];
  readonly current?: string | undefined;
  readonly nowMs: number;
}) {
  return (
    <ol className="reports">
      {marks.map((mark) => (
        <li key={mark.id}>
          <a href={reportHref(mark.id)} aria-current={mark.id === current ? "true" : undefined}>
            <Time atMs={mark.atMs} nowMs={nowMs} />{" "}
            <bdi className="said">{headOf(mark.message, SAID_CHARS)}</bdi>
          </a>
        </li>
      ))}
    </ol>
  );
}

function memberOf(detail: Json | undefined, name: string): string | undefined {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return undefined;
  const value = (detail as Readonly<Record<string, Json>>)[name];
  return typeof value === "string" ? value : undefined;
}
