/** Undo of the last actions of members: the changes of each, and the values before them. */

import * as v from "valibot";
import type { Digest } from "../report.ts";
import { defineStored } from "../schema/stored.ts";
import {
  choice,
  code,
  json,
  list,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  variant,
} from "../schema/stored-object.ts";

/* @__NO_SIDE_EFFECTS__ */
function step<const Change extends string, const Entries extends v.ObjectEntries>(
  change: Change,
  entries: Entries,
) {
  return storedObject({
    digest: code("digest"),
    atMs: timeMs,
    change: choice([change]),
    ...entries,
  });
}

/** The change of one issue. `atMs` is its time: a later change is not undone. */
export type UndoStep = StoredValue<typeof stepSchema>;
const stepSchema = /* @__PURE__ */ variant("change", [
  step("decision", {
    /** In its own version (`DECISION_JSON`). */
    before: v.optional(json<unknown>()),
    /** If it opened a resolved issue: when that was opened before. */
    reopenedMs: v.optional(timeMs),
  }),
  step("assignee", { before: v.optional(text()), to: v.optional(text()) }),
  step("merge", { from: list(code("digest")) }),
  step("hand-off", {}),
]);

export interface UndoResult {
  readonly change: UndoStep["change"];
  /** The restored issues. */
  readonly digests: readonly Digest[];
}

/** The steps of an action. Their version 1 is a list. */
export const UNDO_STEPS = /* @__PURE__ */ defineStored<readonly UndoStep[]>({
  name: "the list of undo steps",
  version: 1,
  isList: true,
  schema: list(stepSchema),
});
