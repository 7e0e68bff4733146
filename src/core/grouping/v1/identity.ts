/** Grouping, version 1: the identity of one error, and the form that it has in a key. */
import type { KeyPart, ReportedError } from "../../report.ts";

/** The members of an error that its identity depends on. */
export type ThrownError = Pick<ReportedError, "type" | "message" | "frames">;

/** The parts that identify one error, without its causes. `message` may be empty. */
export interface Identity {
  readonly type: string;
  readonly message: string;
  readonly location: KeyPart | undefined;
}

/**
 * The parts of an identity. Type and message are always there, so that no two keys are confused.
 */
export function toParts({ type, message, location }: Identity): readonly KeyPart[] {
  const parts: KeyPart[] = [
    { role: "type", value: type },
    { role: "message", value: message },
  ];
  if (location !== undefined) parts.push(location);
  return parts;
}
