/** The audit log: who changed what, and when. */

/** One change that was let in, or one that somebody entered by. */
export interface AuditEntry {
  /** Counts entries: the later the greater. */
  readonly sequence: number;
  readonly atMs: number;
  /** Who, as people are shown it; absent for whoever is local, and for strangers who came in. */
  readonly by?: string;
  /** The id of that person or token: names change, and may be another's too. */
  readonly byId?: string;
  /** What: `rotate-key`, or of a change on the desk its method and route, `POST /d/:digest/state`. */
  readonly action: string;
  /** Which of them: a name, a digest. */
  readonly subject?: string;
}
