/** What people see and change of themselves. */
import type { Person } from "../../core/registry/registry.ts";

/** What the page is made of. */
export interface MePageProps {
  /** Undefined for whoever is local, and has nothing to change. */
  readonly person: Person | undefined;
  /** Signed in through Cloudflare Access, which also signs out. */
  readonly isAccess: boolean;
  readonly sessions: readonly OwnSession[];
  /** When each session was last used, by its id. */
  readonly uses: Promise<Readonly<Record<string, number>>>;
  /** Recovery codes that were made just now: they are shown once. */
  readonly codes: readonly string[];
  readonly nowMs: number;
}

/** A browser that the person has signed in with. */
export interface OwnSession {
  readonly id: string;
  /** The beginning of its id. */
  readonly name: string;
  readonly createdMs: number;
  readonly agent: string;
  /** The one that looks at this page. */
  readonly isThis: boolean;
}

/** The page at `/me`. */
export function MePage({ person }: MePageProps) {
  return <h1>{person?.name ?? "You"}</h1>;
}
