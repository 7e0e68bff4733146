// The counters of the measuring build.

/** A GET of this path returns the counters as JSON. */
export const COUNTERS_PATH = "/bench-counters";
/** A GET of this path returns the rows of each statement since the last such request. */
export const STATEMENTS_PATH = "/bench-statements";

export interface Counters {
  rowsRead: number;
  /** Includes a row for each `setAlarm` and `deleteAlarm`, as Cloudflare counts them. */
  rowsWritten: number;
  /** Calls of the Worker and of other objects, and alarms. */
  objectRequests: number;
  /** The part of `objectRequests` that other objects sent. */
  betweenObjects: number;
  /** The part of `objectRequests` that are alarms. */
  alarms: number;
  /**
   * The total time in which objects could not sleep, because a request, an alarm, their work or a
   * timer was pending.
   */
  activeMs: number;
}

/** The rows of one statement, of `count` executions together. */
export interface Statement {
  sql: string;
  count: number;
  rowsRead: number;
  rowsWritten: number;
}

/** The counters of this process. */
export const counters: Counters = {
  ...{ rowsRead: 0, rowsWritten: 0, objectRequests: 0, betweenObjects: 0, alarms: 0, activeMs: 0 },
};

let statements = new Map<string, Statement>();

/** Counts an execution of a statement. Returns the object to which its rows are added. */
export function countStatement(sql: string): Statement {
  const statement = statements.get(sql) ?? { sql, count: 0, rowsRead: 0, rowsWritten: 0 };
  statements.set(sql, statement);
  statement.count += 1;
  return statement;
}

/** The statements since the last call. */
export function takeStatements(): Statement[] {
  const taken = [...statements.values()];
  statements = new Map();
  return taken;
}
