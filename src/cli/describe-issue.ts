/** Issues of `/api/v1` as text for people. Reported text is escaped where it is printed. */

/** Reported text, or what is in place of it below the trust floor of the token. */
type ReportedText =
  | string
  | { readonly text: string }
  | { readonly withheld: true; readonly ask: string };

interface Frame {
  readonly file?: ReportedText;
  readonly function?: ReportedText;
  readonly line?: number;
  readonly inApp?: boolean;
  /** The line in the repository. */
  readonly sourceUrl?: ReportedText;
}

interface ResolvedFrame extends Frame {
  readonly kind: "resolved" | "unmapped";
}

/** What the title of an issue or a report is made of. */
export interface IssueTitle {
  readonly type?: ReportedText;
  readonly message?: ReportedText;
  readonly title?: ReportedText;
}

/** An issue of a list. */
export interface IssueJson extends IssueTitle {
  readonly digest: string;
  readonly state?: string;
  readonly count: number;
  readonly lastSeen: string;
}

/** `issues.get` */
export interface IssueDetails extends IssueJson {
  readonly firstSeen: string;
  readonly firstRelease?: ReportedText;
  readonly release?: ReportedText;
  readonly route?: ReportedText;
  readonly assignee?: string;
  /** The issue of a tracker. */
  readonly tracker?: { readonly label: string; readonly url: string };
  readonly reports: readonly {
    readonly frames?: readonly Frame[];
    readonly resolvedFrames?: readonly ResolvedFrame[];
  }[];
  readonly suspectCommits?: readonly {
    readonly id: string;
    readonly file: string;
    readonly author?: string;
    readonly message?: string;
  }[];
  readonly suggestedOwner?: {
    readonly owners: readonly string[];
    readonly member?: string;
    readonly source: string;
    readonly pattern: string;
    readonly line: number;
  };
  readonly fix?: {
    readonly state: string;
    readonly change?: { readonly url?: string; readonly commit?: string };
    readonly release?: string;
    readonly proofText?: string;
    readonly handOff?: { readonly at: string; readonly name: string };
  };
}

/** Frames that are printed: those of the application, or the first ones. */
const MAX_FRAMES = 8;

/** The text; for withheld text, how to see it. */
export function readText(text: ReportedText | undefined): string {
  if (text === undefined) return "";
  if (typeof text === "string") return text;
  return "text" in text ? text.text : `(withheld: --${text.ask})`;
}

/** Type and message in one line. */
export function toTitle({ title, type, message }: IssueTitle): string {
  if (title !== undefined) return readText(title);
  const [kind, text] = [readText(type), readText(message)];
  const isWhole = kind === "" || kind === text || text.startsWith(`${kind}:`);
  return isWhole ? text : `${kind}: ${text}`;
}

/** A row of a list: digest, state, count, last time, title. */
export function toRow(issue: IssueJson): readonly string[] {
  const { digest, state, count, lastSeen } = issue;
  return [digest, ...(state === undefined ? [] : [state]), String(count), lastSeen, toTitle(issue)];
}

/** The issue in a few lines, with the frames of its first report. `url` is its page. */
export function describeIssue(issue: IssueDetails, url: string): readonly string[] {
  const { digest, state, count, firstSeen, lastSeen, assignee, tracker } = issue;
  const { suspectCommits = [], fix } = issue;
  const [report] = issue.reports;
  const releases = [...new Set([issue.firstRelease, issue.release].map(readText))].filter(Boolean);
  return [
    `${digest}  ${state}${assignee === undefined ? "" : `, assigned to ${assignee}`}`,
    toTitle(issue),
    `${count} × from ${firstSeen} to ${lastSeen}`,
    ...(releases.length === 0 ? [] : [`release ${releases.join(" to ")}`]),
    ...(issue.route === undefined ? [] : [`route ${readText(issue.route)}`]),
    ...listFrames(report?.frames, report?.resolvedFrames),
    ...suspectCommits.map(
      ({ id, file, author = "", message = "" }) =>
        `suspect ${id.slice(0, 10)} ${author}: ${message.split("\n")[0]} (${file})`,
    ),
    ...describeOwner(issue),
    ...(tracker === undefined ? [] : [`tracker ${tracker.label} ${tracker.url}`]),
    ...listFixLines(fix),
    url,
  ];
}

function describeOwner({ suggestedOwner, assignee }: IssueDetails): readonly string[] {
  if (suggestedOwner === undefined || assignee !== undefined) return [];
  const { owners, member, source, pattern, line } = suggestedOwner;
  const name = member === undefined || member === owners[0] ? "" : ` (${member})`;
  const file = source === "codeowners" ? "CODEOWNERS" : "the rules";
  return [`owner ${owners.join(", ")}${name}, by ${pattern} in line ${line} of ${file}`];
}

/** The state of the fix, its change, the release and the proof; the last hand-off to an agent. */
function listFixLines(fix: IssueDetails["fix"]): readonly string[] {
  if (fix === undefined) return [];
  const { state, change = {}, release, proofText, handOff } = fix;
  const where = change.url ?? change.commit ?? (release === undefined ? "" : `in ${release}`);
  return [
    ...(handOff === undefined ? [] : [`handed off to ${handOff.name} at ${handOff.at}`]),
    ...(state === "none" ? [] : [`fix ${state} ${where}`.trim()]),
    ...(proofText === undefined ? [] : [`proof ${proofText}`]),
  ];
}

function listFrames(
  sent: readonly Frame[] = [],
  resolved: readonly ResolvedFrame[] = [],
): readonly string[] {
  const frames = sent.map((frame, at) => {
    const original = resolved[at];
    return original?.kind === "resolved" ? original : frame;
  });
  const own = frames.filter(({ inApp }) => inApp === true);
  return (own.length > 0 ? own : frames).slice(0, MAX_FRAMES).map(({ file, line, ...frame }) => {
    const place = `${readText(file)}${line === undefined ? "" : `:${line}`}`;
    const name = readText(frame.function);
    const url = frame.sourceUrl === undefined ? "" : `\n    ${readText(frame.sourceUrl)}`;
    return `${name === "" ? `  at ${place}` : `  at ${name} (${place})`}${url}`;
  });
}
