/**
 * The thread of a Sentry event. Some SDKs send the stack of an exception, or of a crash without
 * one, in a thread.
 * Source: Sentry develop docs › Event Payloads › Threads.
 */
import { asList, asText, filterRecords, type JsonFields } from "../../core/decode/as-type.ts";
import type { Frame } from "../../core/report.ts";
import { parseSentryFrames, type StackContext } from "./sentry-frames.ts";

/** Where a report happened: the frames, and the members of the thread that name it. */
export interface SentryStack {
  readonly frames: readonly Frame[];
  readonly thread?: JsonFields;
  readonly hasCrashed: boolean;
}

/**
 * The stack of an event whose exception has none, and its thread. The thread is that of the
 * exception, else the crashed, the current, the main or the only one. The stack of another thread
 * never replaces it.
 */
export function parseEventStack(
  { stacktrace, threads }: JsonFields,
  exceptionFrames: readonly Frame[],
  exceptionThread: unknown,
  context: StackContext,
): SentryStack {
  const list = filterRecords(asList(threads));
  const thread = selectThread(list, exceptionThread);
  const ownFrames = () => parseSentryFrames(stacktrace, context);
  const threadFrames = () =>
    parseSentryFrames(thread?.stacktrace ?? thread?.raw_stacktrace, context);
  const frames = [() => exceptionFrames, ownFrames, threadFrames].reduce(
    (found: readonly Frame[], read) => (found.length > 0 ? found : read()),
    [],
  );
  const { id, name, state } = thread ?? {};
  const isNamed = asText(id) !== undefined || asText(name) !== undefined;
  return {
    frames,
    ...(isNamed && { thread: { id, name, state } }),
    hasCrashed: thread?.crashed === true,
  };
}

function selectThread(
  threads: readonly JsonFields[],
  exceptionThread: unknown,
): JsonFields | undefined {
  const id = asText(exceptionThread);
  const own = threads.find((thread) => id !== undefined && asText(thread.id) === id);
  const crashed = own ?? threads.find((thread) => thread.crashed === true);
  if (crashed !== undefined || id !== undefined) return crashed;
  return (
    threads.find(({ current }) => current === true) ??
    threads.find(({ main, name }) => main === true || name === "main") ??
    (threads.length === 1 ? threads[0] : undefined)
  );
}
