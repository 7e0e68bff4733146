/** Who changed what in a project. */
import type { AuditEntry } from "../../core/registry/audit.ts";

/** What the page is made of. */
export interface AuditPageProps {
  /** Newest first; null while the registry is away. */
  readonly entries: Promise<readonly AuditEntry[] | null>;
  /** With so many there may be older ones. */
  readonly pageSize: number;
  readonly nowMs: number;
}

/** The page at `/settings/audit`. */
export function AuditPage(_: AuditPageProps) {
  return <h1>Audit log</h1>;
}
