/** The list of issues in tests: its issues, its JSON and its forms. */
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import type { Report } from "#src/core/report.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { projectStore } from "#support/store/store.ts";
import { type Visit, type VisitOptions, visit } from "./visit.ts";

/** The options of a visit that asks for JSON. */
export const asJson = { headers: { accept: "application/json" } };

/** A valid digest, number `n`. */
export function toDigest(n: number): string {
  return digestFromHash(new Uint8Array(32).fill(n));
}

/** The fields of a form that selects the issues 1 and 2. */
export const TWO_DIGESTS = [
  ["digest", toDigest(1)],
  ["digest", toDigest(2)],
] as const;

/** The first report of issue `n`; the greater `n`, the later. */
export function createFirstReport(n: number, over: Partial<Report> = {}): Report {
  return createReport(n, { digest: toDigest(n), message: `fault ${n}`, ...over });
}

/** The list of issues as JSON. */
export interface ListJson {
  readonly query: string;
  readonly total: number;
  readonly next?: string;
  readonly previous?: string;
  readonly issues: readonly { readonly digest: string; readonly state: string }[];
}

/** The list at `path` as JSON. */
export async function readList(path: string): Promise<ListJson> {
  return JSON.parse((await visit(path, asJson)).body);
}

/** The digests of the issues that a query finds. */
export async function listDigests(q: string): Promise<readonly string[]> {
  const { issues } = await readList(`/issues?${new URLSearchParams({ q })}`);
  return issues.map(({ digest }) => digest);
}

/** The body of a form. A name may occur several times. */
export function encodeFields(...fields: readonly (readonly [string, string])[]): string {
  return String(new URLSearchParams(fields.map(([name, value]) => [name, value])));
}

/** Sends the body of a form, or another body with its own type. */
export function postToList(path: string, body: string, over: VisitOptions = {}): Promise<Visit> {
  return visit(path, {
    method: "POST",
    body,
    ...over,
    headers: { "content-type": "application/x-www-form-urlencoded", ...over.headers },
  });
}

/** A project store whose list can be neither read nor changed. */
export const UNAVAILABLE_LIST: ProjectStore = replaceMethods(projectStore, {
  ...Object.fromEntries(
    (["listIssues", "listFacets", "listViews", "decideMany", "annotate", "saveView"] as const).map(
      (name) => [name, () => Promise.reject(new Error("unavailable"))],
    ),
  ),
});
