// Every shape of stored JSON: a value of a later release is never taken for a missing one, an older
// one needs all its steps, and the schema accepts what this code stores and keeps the rest.

import { describe, expect, it } from "vitest";
import { createRegistryState, REGISTRY } from "#src/core/accounts/registry.ts";
import { DEFAULT_RULE } from "#src/core/alerts/rule.ts";
import { addAttempt, KEY_ACTIVITY } from "#src/core/flood/key-activity.ts";
import { aggregateReport, summarizeIssue } from "#src/core/issue/aggregate-report.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import { type StoredFormat, Unreadable } from "#src/core/schema/stored.ts";
import { UNDO_STEPS } from "#src/core/triage/undo-step.ts";
import { ALERT_SETTINGS } from "#src/store/alerts/tables/settings-table.ts";
import { PACK, RELEASES, UPLOAD } from "#src/store/artifacts/record/record-format.ts";
import {
  ALIAS_JSON,
  ANNOTATIONS_JSON,
  CODE_OWNERS_JSON,
  DECISION_JSON,
  ISSUE_JSON,
  ISSUE_LIST_JSON,
  REPORT_JSON,
  REPOSITORIES_JSON,
  SAVED_VIEWS_JSON,
} from "#src/store/kv/stored-json.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";

const DIGEST = "7F3K-Q2M9";
const report = createReport(1, { release: "1.4.0", tags: [["plan", "pro"]] });
const summary = summarizeReport(report, "2026112117/0.00000000:1");
const issue = aggregateReport(undefined, summary, 0);
const decision = { v: 2, state: "snoozed", atMs: 1, untilMs: 2 } as const;
const attempt = { nowMs: 1, networkSketch: undefined, reports: 1, isCollapsed: false };

/** A stored value of each shape, in the version of this code. */
const FORMATS: readonly (readonly [
  name: string,
  format: StoredFormat<unknown>,
  stored: unknown,
])[] = [
  ["a report", REPORT_JSON, report],
  ["an issue", ISSUE_JSON, { ...issue, watermarks: { 0: 7 } }],
  [
    "a list of issues",
    ISSUE_LIST_JSON,
    { v: 2, issues: [summarizeIssue(issue)], total: 1, asOfMs: 0 },
  ],
  ["an alias", ALIAS_JSON, { v: 1, digests: [DIGEST] }],
  ["a decision", DECISION_JSON, decision],
  [
    "annotations",
    ANNOTATIONS_JSON,
    {
      v: 2,
      assignee: "Ada",
      splitOff: [{ into: DIGEST, watermarks: { 0: 7 } }],
      activity: [
        { atMs: 1, by: "Ada", action: "commented", id: toReportId(1), text: "since Monday" },
        { atMs: 2, action: "archived" },
      ],
    },
  ],
  [
    "saved views",
    SAVED_VIEWS_JSON,
    { v: 1, views: [{ name: "Mine", query: "is:open", sort: "last", feedHash: "ab" }] },
  ],
  [
    "repositories and rules of owners",
    REPOSITORIES_JSON,
    {
      v: 1,
      repositories: [
        { id: "a", kind: "github", url: "https://github.com/acme/shop", folder: "web" },
      ],
      rules: { text: "path:src/** -> Ada", savedMs: 1 },
      handles: [{ handle: "@ada", member: "Ada" }],
    },
  ],
  [
    "files CODEOWNERS",
    CODE_OWNERS_JSON,
    { v: 1, files: [{ path: "CODEOWNERS", text: "* @ada", release: "1.4", atMs: 1 }] },
  ],
  [
    "undo steps",
    UNDO_STEPS,
    [
      { digest: DIGEST, atMs: 1, change: "decision", before: decision },
      { digest: DIGEST, atMs: 1, change: "merge", from: [DIGEST] },
    ],
  ],
  ["the activity of a key", KEY_ACTIVITY, addAttempt(undefined, attempt)],
  ["the registry", REGISTRY, createRegistryState("secret", 0)],
  [
    "alert settings",
    ALERT_SETTINGS,
    {
      v: 1,
      version: 1,
      rules: [DEFAULT_RULE],
      destinations: [
        { id: "a", name: "Chat", settings: { kind: "slack", url: "https://x.example" } },
      ],
      preferences: { ada: { destinations: ["a"], onlyAssigned: true } },
      vapid: { publicKey: "p", privateKey: "q" },
      actionKey: "k",
    },
  ],
  [
    "a pack of maps",
    PACK,
    {
      v: 1,
      slices: [
        {
          hash: "ab",
          bytes: 3,
          facts: { sources: 1, sourcesWithText: 1, problems: [] },
          first: 0,
          sizes: [3],
        },
      ],
    },
  ],
  [
    "an upload",
    UPLOAD,
    {
      v: 1,
      upload: { id: "ab", checksum: "cd", uploadedMs: 1 },
      files: [{ kind: "script", url: "~/a.js", bytes: 3, problems: [] }],
    },
  ],
  [
    "the facts of releases",
    RELEASES,
    {
      v: 1,
      releases: [
        { version: "1", createdMs: 1, deploys: [{ environment: "x" }], commits: [{ id: "c" }] },
      ],
    },
  ],
];

describe.each(FORMATS)("stored JSON: %s", (_, format, stored) => {
  const later = { ...(stored as object), v: format.version + 1 };

  it("of this release is valid, and is written as it was read", () => {
    expect(format.check(stored)).toEqual({ kind: "ok", value: stored });
    // Some formats write the version of the release before.
    const written = JSON.parse(format.encode(stored));
    expect(format.check(written)).toEqual({
      kind: "ok",
      value: JSON.parse(JSON.stringify(stored)),
    });
    expect(format.encode(format.parse(written))).toBe(format.encode(stored));
  });

  it("of a later release is unreadable, and never looks like a missing one", () => {
    expect(format.decode(later)).toEqual({ kind: "newer", version: format.version + 1 });
    expect(() => format.parse(later)).toThrow(Unreadable);
    expect(() => format.parseOrNull(later)).toThrow(Unreadable);
    expect(() => format.parseOrNull(later, false)).toThrow(Unreadable);
  });

  it("without a version is damaged", () => {
    expect(format.parseOrNull({})).toBeNull();
    expect(format.parseOrNull(undefined)).toBeNull();
  });

  it("that is not valid is damaged when it is checked", () => {
    const names = Object.keys(stored as object).filter((name) => name !== "v");
    for (const name of names) {
      const broken = Array.isArray(stored)
        ? stored.map((one, n) => (String(n) === name ? Symbol(name) : one))
        : { ...(stored as object), [name]: Symbol(name) };
      expect(format.check(broken), name).toMatchObject({ kind: "damaged" });
    }
  });

  it("keeps members of later releases, at every depth", () => {
    const extended = addMembers(stored);
    expect(format.check(extended)).toEqual({ kind: "ok", value: extended });
    expect(JSON.stringify(format.check(extended))).toBe(
      JSON.stringify({ kind: "ok", value: extended }),
    );
  });
});

/** The value with an unknown member, before the others, in each object that has named members. */
function addMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addMembers);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => {
    const isMap = ["watermarks", "preferences", "tags"].includes(name);
    return [name, isMap ? one : addMembers(one)] as const;
  });
  return { later: { a: [1] }, ...Object.fromEntries(members) };
}
