/**
 * The kind, the type and the message of a Sentry event. An event without an exception and a message
 * gets them from what it has: the crashed thread, the transaction.
 */
import { asRecord, type JsonFields } from "../../core/decode/as-type.ts";
import { findCulprit } from "../../core/report/title.ts";
import type { Platform, ReportKind } from "../../core/report.ts";
import type { Truncations } from "../decode/truncations.ts";
import type { SentryExceptions } from "./sentry-exception.ts";
import type { SentryStack } from "./sentry-threads.ts";

/** The message of an event that has nothing else to say. */
export const EMPTY_MESSAGE = "(empty message)";

interface SentryTitle {
  readonly kind: ReportKind;
  readonly type: string;
  readonly message: string;
}

/** The parsed parts of an event that can name it. */
interface TitleParts {
  readonly exception: SentryExceptions | undefined;
  readonly message: string | undefined;
  readonly stack: SentryStack;
  readonly platform: Platform;
  readonly hasMinidump: boolean;
}

/** Members that say nothing about what happened. */
const IDENTITY_MEMBERS: ReadonlySet<string> = new Set([
  ...["_meta", "event_id", "key_id", "level", "platform", "project", "received", "sdk"],
  ...["timestamp", "type"],
]);

/** True if an event says anything: an empty message is something that an application sent. */
export function hasContent(fields: JsonFields): boolean {
  return Object.entries(fields).some(
    ([name, value]) => !IDENTITY_MEMBERS.has(name) && value !== null && value !== undefined,
  );
}

/** The title of an event. */
export function createTitle(
  fields: JsonFields,
  { exception, message, stack, platform, hasMinidump }: TitleParts,
  truncations: Truncations,
): SentryTitle {
  if (exception !== undefined) {
    // SDKs of version 11 send `captureMessage` as an exception without a type, created for its
    // stack. A thrown string looks the same but has a type.
    const isMessage =
      exception.type === undefined && exception.isSynthetic && message !== undefined;
    return isMessage
      ? { kind: "message", type: "Message", message }
      : {
          kind: "error",
          type: exception.type ?? "Error",
          message: exception.message ?? message ?? "",
        };
  }
  // The SDK of Java calls the thread of every log message crashed.
  const isLogged = platform === "java" && message !== undefined;
  const isCrash = (stack.hasCrashed && !isLogged) || hasMinidump;
  // An application that logs an empty text sends the member.
  const isMessage =
    message !== undefined ||
    [fields.message, fields.logentry].some((one) => (asRecord(one)?.message ?? one) === "");
  const isError = isCrash || (stack.frames.length > 0 && !isMessage);
  const place = isError ? findCulprit(stack.frames, platform) : undefined;
  const text = message ?? place ?? truncations.limitString("message", fields.transaction);
  return {
    kind: isError ? "error" : "message",
    type: isCrash ? "Crash" : isError ? "Error" : "Message",
    message: text ?? (hasMinidump ? "minidump" : EMPTY_MESSAGE),
  };
}
