/**
 * Types of errors that hold several errors: a group and its members, not an error's cause. Grouping
 * keys depend on them, so a change needs a new version of the grouping.
 */

/** Names without a module: Python, JavaScript, .NET, RxJava, JUnit. */
const GROUP_TYPES: ReadonlySet<string> = new Set([
  "AggregateError",
  "AggregateException",
  "BaseExceptionGroup",
  "CompositeException",
  "ExceptionGroup",
  "MultipleFailureException",
  "MultipleFailuresError",
]);

/** True for the type of a group, with or without its module: `System.AggregateException`. */
export function isGroupType(type: string): boolean {
  return GROUP_TYPES.has(type.slice(type.search(/[^.:\\$]{0,40}$/)));
}
