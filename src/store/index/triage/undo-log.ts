/**
 * The last actions of members that can be undone. Each is a document, named by its time and its id.
 * A rebuild loses them. Synchronous.
 */

import { limits } from "../../../core/limits.ts";
import type { UndoStep } from "../../../core/triage/undo-step.ts";
import type { IndexTables } from "../state/index-tables.ts";

type UndoTables = Pick<IndexTables, "undo">;

/** Adds steps to an action, and deletes the oldest action if there are too many. */
export function addSteps(
  tables: UndoTables,
  id: string | undefined,
  steps: readonly UndoStep[],
  nowMs: number,
): void {
  if (id === undefined || steps.length === 0) return;
  const { undo } = tables;
  const known = findName(tables, id);
  const before = known === undefined ? [] : (undo.get(known) ?? []);
  undo.save(known ?? `${nowMs} ${id}`, [...before, ...steps]);
  const names = undo.listNames("", limits.maxUndoActions + 1);
  const [oldest] = names;
  if (names.length > limits.maxUndoActions && oldest !== undefined) undo.remove(oldest);
}

/** The steps of an action, in order; undefined if it is unknown or too old. */
export function getSteps(
  tables: UndoTables,
  id: string,
  nowMs: number,
): readonly UndoStep[] | undefined {
  const name = findName(tables, id);
  if (name === undefined || Number.parseInt(name, 10) <= nowMs - limits.undoMs) return undefined;
  return tables.undo.get(name);
}

/** Forgets an action. */
export function removeSteps(tables: UndoTables, id: string): void {
  const name = findName(tables, id);
  if (name !== undefined) tables.undo.remove(name);
}

function findName({ undo }: UndoTables, id: string): string | undefined {
  return undo.listNames("", limits.maxUndoActions).find((name) => name.endsWith(` ${id}`));
}
