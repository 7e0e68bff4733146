/** The roles of triage and erasure, which operations require and their forms state. */
import type { Role } from "./registry.ts";

export const REQUIRED_ROLES = {
  /** To decide, comment, assign, merge, split, undo, and save views. */
  triage: "member",
  erasure: "owner",
  /** To see how many reports a person has. */
  persons: "member",
} as const satisfies Readonly<Record<string, Role>>;
