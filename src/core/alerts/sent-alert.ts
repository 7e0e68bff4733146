/** An alert about an issue that destinations of the project accepted, for the issue page. */

/** One alert. Stored by the index (version 1). */
export interface SentAlert {
  readonly atMs: number;
  /** The id of the message. */
  readonly message: string;
  /** Names of destinations: `#shop`. */
  readonly to: readonly string[];
}

/** Annotations of an issue, as they are read, have its last alerts. */
export interface WithSentAlerts {
  /** Oldest first. */
  readonly alerts?: readonly SentAlert[];
}
