/** The roles that changes require: operations authorize by them, and pages show their forms. */
import type { Role } from "./registry.ts";

export const REQUIRED_ROLES = {
  /** To decide, comment, assign, merge, split, undo, and save views. */
  triage: "member",
  erasure: "owner",
} as const satisfies Readonly<Record<string, Role>>;
