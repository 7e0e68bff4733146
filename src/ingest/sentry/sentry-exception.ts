/**
 * Parses the exceptions of a Sentry event. Sentry's order is reversed: the thrown exception is
 * last, after its causes.
 * Source: Sentry develop docs › Event Payloads › Exception.
 */

import {
  asBoolean,
  asList,
  asRecord,
  filterRecords,
  type JsonFields,
} from "../../core/decode/as-type.ts";
import { isGroupType } from "../../core/errors/group-types.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { Cause, ReportedError } from "../../core/report.ts";
import { orderExceptions } from "./exception-tree.ts";
import { parseSentryFrames, type StackContext } from "./sentry-frames.ts";

/** The thrown exception, its causes and its mechanism. */
export interface SentryExceptions extends Partial<Omit<ReportedError, "frames">> {
  readonly frames: ReportedError["frames"];
  /** Parents first. */
  readonly causes: readonly Cause[];
  readonly threadId?: unknown;
  readonly isHandled?: boolean;
  readonly mechanism?: JsonFields;
  /** The SDK created the exception to get a stack; the report is a message. */
  readonly isSynthetic: boolean;
}

/**
 * The exceptions of an event, undecoded: from `{"values": […]}`, a bare list or a single object.
 * The thrown one is last.
 */
export function listExceptions(exception: unknown): readonly JsonFields[] {
  const single = asRecord(exception);
  return filterRecords(
    single !== undefined && !("values" in single) ? [single] : asList(exception),
  );
}

/** Parses the exceptions of an event. Undefined if there is none. */
export function parseExceptions(
  exceptions: readonly JsonFields[],
  context: StackContext,
): SentryExceptions | undefined {
  const { truncations } = context;
  const list = truncations.takeEnds("causes", exceptions, limits.maxMembers);
  const [thrown, ...causes] = orderExceptions(list, limits.maxCauses + 1);
  if (thrown === undefined) return undefined;
  if (causes.length + 1 < list.length) truncations.add("causes");
  const { exception } = thrown;
  const mechanism = asRecord(exception.mechanism);
  return omitUndefined({
    ...parseException(exception, context, { type: "type", message: "message" }),
    causes: causes.map((cause, index): Cause => {
      const { type = "Error", message = "", ...rest } = parseException(cause.exception, context);
      const isChained = cause.parent === index;
      return {
        ...{ type, message, ...rest },
        ...(!isChained && { parent: cause.parent }),
        ...(asRecord(cause.exception.mechanism)?.type === "suppressed" && { isSuppressed: true }),
      };
    }),
    threadId: exception.thread_id,
    isHandled: asBoolean(mechanism?.handled),
    mechanism,
    isSynthetic: mechanism?.synthetic === true,
  });
}

/** Names under which truncated members are listed. */
const CAUSE_NAMES = { type: "causes", message: "causes" };

function parseException(
  exception: JsonFields,
  context: StackContext,
  names = CAUSE_NAMES,
): Partial<ReportedError> & Pick<ReportedError, "frames"> {
  const { truncations } = context;
  const type = truncations.limitShown(names.type, exception.type, limits.maxTypeChars);
  const isGroup =
    asRecord(exception.mechanism)?.is_exception_group === true || isGroupType(type ?? "");
  return {
    ...omitUndefined({
      type,
      typeModule: truncations.limitShown(names.type, exception.module, limits.maxTypeChars),
      message: truncations.limitShown(names.message, exception.value, limits.maxMessageChars),
    }),
    frames: parseSentryFrames(exception.stacktrace ?? exception.raw_stacktrace, context),
    ...(isGroup && { isGroup }),
  };
}
