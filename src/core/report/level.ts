/**
 * The severity of a report in one vocabulary. SDKs, loggers and syslog use more words, such as
 * `critical` (Python, Monolog), `warn` (Node.js) and `notice` (RFC 5424 § 6.2.1).
 */

/** The levels, most severe first. */
export const REPORT_LEVELS = {
  fatal: true,
  error: true,
  warning: true,
  info: true,
  debug: true,
} as const;

export type ReportLevel = keyof typeof REPORT_LEVELS;

/** The level of reports that name none, or an unknown one. */
export const DEFAULT_LEVEL: ReportLevel = "error";

const PATTERNS: readonly (readonly [word: RegExp, level: ReportLevel])[] = [
  [/^(?:fatal|crit|emerg|alert|panic)/i, "fatal"],
  [/^(?:err|severe)/i, "error"],
  [/^warn/i, "warning"],
  [/^(?:info|notice|log)/i, "info"],
  [/^(?:debug|trace|verbose|fine)/i, "debug"],
];

/** The level that a sender's word names; undefined for an unknown word. */
export function parseReportLevel(word: string): ReportLevel | undefined {
  const trimmed = word.trim();
  return PATTERNS.find(([pattern]) => pattern.test(trimmed))?.[1];
}

/** The level of a report. */
export function getReportLevel({ level = "" }: { readonly level?: string }): ReportLevel {
  return parseReportLevel(level) ?? DEFAULT_LEVEL;
}
