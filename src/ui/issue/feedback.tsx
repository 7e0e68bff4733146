/** What people wrote about an issue, and who they are where they said so. */
import type { Mark } from "../../core/issue.ts";
import type { Json, Report } from "../../core/report.ts";
import { headOf } from "../long-text.tsx";

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

/** What somebody wrote, as a line of a list of reports. */
export function Said({ mark }: { readonly mark: Mark }) {
  return <bdi className="said">{headOf(mark.message, SAID_CHARS)}</bdi>;
}

function memberOf(detail: Json | undefined, name: string): string | undefined {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return undefined;
  const value = (detail as Readonly<Record<string, Json>>)[name];
  return typeof value === "string" ? value : undefined;
}
