/**
 * Grouping, version 1 (frozen): translates messages of engines and browsers into neutral text that
 * is equal in all of them. Messages of applications are not translated.
 */
import { languageMessages } from "./language-messages.ts";
import { platformMessages } from "./platform-messages.ts";
import { valueMessages } from "./value-messages.ts";

/** An engine's message as neutral text. */
interface NeutralMessage {
  /** The error's type, if engines use different ones. */
  readonly type?: string;
  readonly message: string;
  /**
   * True if the message does not tell two errors apart, so that the key also needs the location.
   */
  readonly needsCulprit: boolean;
}

const ENGINE_MESSAGES = [...valueMessages, ...languageMessages, ...platformMessages];

/** The message as neutral text; undefined if it is not the message of an engine. */
export function toNeutralMessage(type: string, message: string): NeutralMessage | undefined {
  for (const entry of ENGINE_MESSAGES) {
    if (entry.types?.test(type) === false) continue;
    const match = findFirstMatch(entry.patterns, message);
    if (match === undefined) continue;
    const detail = entry.detail?.(match.groups ?? {});
    return {
      type: entry.type,
      message: detail === undefined ? entry.neutral : `${entry.neutral}: ${detail}`,
      needsCulprit: entry.isSpecific !== true,
    };
  }
  return undefined;
}

function findFirstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return undefined;
}
