/**
 * Grouping, version 1 (frozen): the messages that engines and browsers write, in words that all of them share. A
 * message of an application is none of them.
 */
import { languageMessages } from "./language-messages.ts";
import { platformMessages } from "./platform-messages.ts";
import { valueMessages } from "./value-messages.ts";

/** An engine's message in neutral words. */
export interface NeutralMessage {
  /** The error's type, where engines disagree about it too. */
  readonly type?: string;
  readonly message: string;
  /** True when it says too little to tell two faults apart, so that the key also needs the place. */
  readonly needsCulprit: boolean;
}

const ENGINE_MESSAGES = [...valueMessages, ...languageMessages, ...platformMessages];

/** The message in neutral words; undefined when it is not one that engines make. */
export function toNeutralMessage(type: string, message: string): NeutralMessage | undefined {
  for (const entry of ENGINE_MESSAGES) {
    if (entry.types?.test(type) === false) continue;
    const match = findFirstMatch(entry.patterns, message);
    if (match === undefined) continue;
    const detail = entry.detail?.(match.groups ?? {});
    return {
      ...(entry.type !== undefined && { type: entry.type }),
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
