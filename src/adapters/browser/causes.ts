/** The causes of an error and the members of a group of errors, as a report has them. */

import { type DescribedError, describeThrown } from "../../client/reporter.ts";

/** An error below the report's own. */
interface ReportedCause extends DescribedError {
  /** 0 is the report's own error, n is `causes[n - 1]`. */
  readonly parent: number;
  /** The errors below it are members of a group. */
  isGroup?: true;
}

/** The errors below the report's own, and whether they are members of it. */
interface ReportedCauses {
  readonly causes: readonly Partial<ReportedCause>[];
  readonly isGroup?: true;
}

/** The nearest causes and members, each once. Throws if a getter does. */
export function listCauses(thrown: unknown): ReportedCauses {
  const maxCauses = 4;
  const thrownValues = [thrown];
  const reported: Partial<ReportedCause>[] = [{}];
  // The list grows.
  for (const [parent, value] of thrownValues.entries()) {
    const { cause, errors } = Object(value);
    // Validators list plain objects, which are no errors.
    const members: unknown[] = errors?.[0]?.stack ? errors : [];
    if (members[0]) Object(reported[parent]).isGroup = true;
    for (const child of [cause, ...members]) {
      if (child == null || thrownValues.includes(child) || reported.length > maxCauses) continue;
      thrownValues.push(child);
      reported.push({ ...describeThrown(child), parent });
    }
  }
  const [own, ...causes] = reported;
  return { ...own, causes };
}
