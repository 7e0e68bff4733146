/**
 * The cost of each request as data: `tests/worker/http/page-costs.test.ts` counts the calls of each
 * row, and the documentation page `/docs/page-costs` is made from it.
 */

/** One kind of request by a member who is signed in, with one log shard. */
interface PageCost {
  /** Names the request in Markdown. Each row has its own name. */
  readonly page: string;
  /** Calls that the first byte waits for: `1 KV read, 3 index`, or `nothing`. */
  readonly before: string;
  /** Calls made after the first byte. */
  readonly after: string;
  /** CPU in multiples of a Worker that does nothing (`tests/bench/README.md`). */
  readonly cpu?: string;
  /** When the figures differ. */
  readonly note?: string;
}

type Row = Omit<PageCost, "before" | "after"> & Partial<PageCost>;

/** The rows; `before` and `after` are absent if they are `nothing`. */
const ROWS: readonly Row[] = [
  {
    page: "`/`",
    after: "1 index, 1 maps",
    note: "the overview; maps: deploys, no call if build tools sent none; without the index 1 KV read more, for the newest issues",
  },
  { page: "`/live`, `/self-test`", after: "1 index" },
  {
    page: "`/self-test/injection`",
    after: "1 index",
    note: "once the report was sent, 1 log more and twice the calls of `get_investigation`",
  },
  { page: "`/all-issues`", after: "2 index", note: "1 for each project, at most 21" },
  { page: "`/all-issues` as JSON", before: "2 index", note: "as the page" },
  { page: "`/all-alerts`", after: "2 alerts", note: "1 for each project, at most 21" },
  { page: "`/all-alerts` as JSON", before: "2 alerts", note: "as the page" },
  { page: "`/releases`", after: "1 index, 1 maps" },
  { page: "`/releases` as JSON", before: "1 index, 1 maps" },
  { page: "`/issues`", after: "3 index", cpu: "46 ×", note: "list, facets, saved views" },
  { page: "`/issues`, no match", after: "4 index" },
  {
    page: "`/issues` with a tag that no issue has",
    after: "4 index",
  },
  { page: "`/`, `/issues`, `/live` as JSON", before: "1 index" },
  {
    page: "`/d/<digest>`",
    before: "1 KV read",
    after: "1 index, 1 log, 1 maps",
    cpu: "53 ×",
    note: "waits for KV or the index, whichever responds first; index: issue with annotations, similar issues, repositories and owners; log: the report; maps: deploys and commits, no call if build tools sent none, 1 more for a report of another release than the first one",
  },
  {
    page: "`/d/<digest>`, chunk older than ten minutes",
    before: "1 KV read",
    after: "1 KV read, 1 index, 1 maps",
  },
  {
    page: "`/d/<digest>` with a server and a browser report",
    before: "1 KV read",
    after: "1 index, 2 log, 1 maps",
  },
  {
    page: "`/d/<digest>` with a trace",
    before: "1 KV read",
    after: "1 index, 2 log, 1 maps",
    note: "log: the report, and the reports of its trace; 1 index more for each of a browser",
  },
  {
    page: "`/d/<digest>` without a snapshot in KV",
    before: "1 KV read, 1 index",
    after: "1 index, 1 log, 1 maps",
  },
  {
    page: "`/d/<digest>` with a stack, in a project with source maps",
    before: "1 KV read",
    after: "1 index, 1 log, 2 maps",
    note: "maps: all frames of the report and its causes, and the deploys for the chart; 1 more for the report from the other side (browser or server)",
  },
  { page: "`/d/<digest>` that was merged", before: "1 KV read, 3 index", after: "1 index" },
  {
    page: "`/d/<digest>` that is unknown",
    before: "1 KV read, 5 index, 2 log",
    after: "1 index",
    note: "1 index and 1 log of each project only if it can be the code of a browser's report, which one in eight digests can; 1 index for each other project of the person, at most 20; without scripts, up to four more lookups in three seconds",
  },
  {
    page: "`/d/<digest>` that was misread",
    before: "4 index",
    note: "all likely readings in 1 of them; 1 to search the text; 1 for each other project",
  },
  {
    page: "`/d/<digest>` as JSON",
    before: "3 index, 1 log, 1 maps",
    note: "up to 10 reports, 1 log each; index: issue, annotations, repositories and owners; maps: the commits of the releases",
  },
  {
    page: "`/d/<digest>` as JSON, ten reports in chunks older than ten minutes",
    before: "1 KV read, 3 index",
    note: "1 KV read for each chunk",
  },
  {
    page: "`/d/<digest>` as Markdown",
    before: "2 index, 1 log, 1 maps",
    note: "index: issue, repositories; maps: the commits of the release",
  },
  { page: "an attachment", before: "1 index, 1 log" },
  {
    page: "`/d/<digest>` as JSON, with stacks, in a project with source maps",
    before: "3 index, 1 log, 1 maps",
    note: "1 maps for all reports of a build",
  },
  { page: "`/d/<code>` of another framework", before: "2 index" },
  {
    page: "`/lookup`: a digest or another code",
    before: "2 index",
    cpu: "7 ×",
    note: "1 for each code, at most 10, and 1 for each issue",
  },
  { page: "`/lookup`: a report id", before: "3 index, 2 log" },
  {
    page: "a page that waits for a code, each time it looks again",
    before: "1 index",
    note: "at most once a second while reports arrive, then after a tenth of the time that it has waited, at most a minute; every few seconds 1 for each other project of the person; 3 index and 1 log more for a code that may be that of a report or request",
  },
  {
    page: "`/lookup`: text that six issues contain",
    before: "7 index",
    after: "1 index",
    note: "1 to search and 1 for each issue, at most 20; 1 for each other project",
  },
  {
    page: "`/lookup`: a URL",
    before: "1 index",
    note: "1 more if exactly one issue matches; a text search if none does",
  },
  {
    page: "`/releases/<name>`",
    before: "1 index",
    after: "5 index, 1 maps",
    note: "1 maps more if its stacks name scripts",
  },
  { page: "`/releases/<name>` that is not listed", before: "3 index, 1 maps", after: "4 index" },
  { page: "`/csp`", after: "6 index, 1 log", note: "1 index for each 50 violations, at most 10" },
  {
    page: "`/csp` with a dry run",
    after: "4 index",
    note: "1 KV read for each of the 20 most frequent violations",
  },
  { page: "`/csp` as JSON", before: "1 index", note: "as the page" },
  { page: "`/scope`, completing a query", before: "1 index" },
  { page: "`/live/socket`", before: "1 index", note: "the index sleeps while nothing arrives" },
  { page: "`/connect`", after: "4 index" },
  {
    page: "`/connect` before the first report",
    after: "4 index, 1 alerts",
    note: "alerts: the first page of a project in a minute, or in three seconds after a change, also asks for unread alerts; up to five more reads in seven seconds while sample data is removed",
  },
  { page: "`/connect` as JSON", before: "4 index" },
  { page: "`/source-maps`", after: "1 maps", note: "1 more for a check" },
  { page: "`/source-maps` as JSON; `/source-maps/<upload>`", before: "1 maps" },
  { page: "`/status`", after: "4 index, 1 log, 2 maps, 2 alerts, 1 registry" },
  { page: "`/status` as JSON", before: "4 index, 1 log, 2 maps, 2 alerts, 1 registry" },
  {
    page: "`/profile`, `/settings`, `/settings/audit`",
    after: "1 registry",
    note: "last-used times; the audit log",
  },
  { page: "`/profile`, `/settings/audit` as JSON", before: "1 registry" },
  {
    page: "`/alerts`",
    before: "2 alerts",
    note: "waits for the inbox, whose number is in the header; 1 index for all its issues",
  },
  { page: "`/alerts` as JSON", before: "1 alerts" },
  { page: "`/alerts/preferences`", before: "2 alerts" },
  {
    page: "`/alerts/act`, a link that has expired",
    before: "1 alerts",
    note: "1 index more for a valid link",
  },
  { page: "`/alerts/confirm-email`, a link that has expired", before: "1 alerts, 1 limit" },
  { page: "`/settings/alerts`", after: "1 index, 3 alerts" },
  { page: "`/settings/alerts` as JSON", before: "1 index, 3 alerts" },
  { page: "`/settings/trackers`, also as JSON", before: "1 alerts" },
  { page: "`/d/<digest>/tracker`", before: "1 index, 1 alerts" },
  {
    page: "`/feeds/<token>` that is unknown",
    before: "1 index, 1 limit",
    note: "1 index more for a known address",
  },
  {
    page: "`/e/<digest>`",
    before: "1 limit",
    after: "1 index",
    note: "1 index more if a fix waits for its release; 1 KV read more while the index is unavailable",
  },
  {
    page: "`/e/<digest>` that is unknown",
    before: "1 limit",
    after: "6 index, 2 log",
    note: "2 index and 1 log of each project only if it can be the code of a browser's report, which one in eight digests can; 1 index for each other project, at most 20",
  },
  { page: "`/e/<digest>` that was merged", before: "1 limit", after: "3 index" },
  { page: "`/e/<digest>` as JSON", before: "1 index, 1 limit" },
  { page: "`/e/<code>` of another framework", before: "2 index, 1 limit" },
  {
    page: "`/e/<digest>/confirm`, a link that has expired",
    before: "1 index, 1 alerts, 1 limit",
  },
  {
    page: "`/export`",
    before: "1 KV list, 1 index, 1 log, 1 registry",
    after: "1 index",
    note: "1 log for each 200 chunks, at least 1 for each shard, all but the first after the first byte. The log reads its chunks",
  },
  {
    page: "a page whose render fails",
    after: "1 log",
    note: "in addition to the page's own calls",
  },
  {
    page: "`/sign-in`, `/device`, `/e/<digest>/tell`, `/deployment.json`, `/projects`, `/noise`, `/policies`, `/settings/data`, `/settings/alerts/<form>`, `/settings` as JSON; submitting a policy; choosing colors or what pages show",
  },
  {
    page: "sending reports",
    before: "1 log, 3 limit",
    cpu: "8 to 12 ×",
    note: "1 log for each shard; the log sends one RPC to the index for all reports of a batch; 1 KV read and 1 registry more in an isolate whose copy of the registry is older than 30 seconds",
  },
  { page: "sending a test report", before: "1 log, 1 registry" },
  {
    page: "sending one report with a page token",
    before: "1 log, 4 limit",
    note: "1 limit for each report; a token of the registry's keys uses the copy of the registry",
  },
  {
    page: "user feedback about an event",
    before: "2 index, 3 log, 3 limit",
    note: "searches for the event up to 4 times in a second",
  },
  {
    page: "a comment on a receipt",
    before: "1 index, 1 log, 1 limit",
    note: "the cost of the receipt, and 1 log",
  },
  {
    page: "a request to be told of a fix",
    before: "1 index, 1 alerts, 1 limit",
    note: "the cost of the receipt, and 1 alerts, whose alarm sends the mail",
  },
  {
    page: "a decision, a comment, a merge, an undo",
    before: "1 index, 1 registry",
    after: "1 registry",
    note: "the same for many issues at once; after: the outcome for the audit log. What concerns other members, the index sends in one RPC to the sender of alerts",
  },
  { page: "a saved view", before: "2 index, 1 registry", after: "1 registry" },
  { page: "saving a repository", before: "1 index, 1 registry", after: "1 registry" },
  { page: "ending a split by stack", before: "1 registry", note: "1 index more to start one" },
  { page: "marking the inbox as read", before: "1 alerts" },
  { page: "changes of a person's alerts", before: "3 alerts" },
  {
    page: "saving the repository of issues",
    before: "1 index, 1 alerts, 1 registry",
    after: "1 registry",
  },
  {
    page: "adding a tracker",
    before: "2 alerts, 1 registry",
    after: "1 registry",
    note: "1 alerts for the list with the new secret",
  },
  {
    page: "linking an issue to one of a tracker",
    before: "1 index, 1 alerts, 1 registry",
    after: "1 registry",
    note: "1 alerts and a call of the tracker more to create an issue, or to link one of a connected tracker",
  },
  {
    page: "a webhook of a tracker",
    before: "1 alerts, 1 limit",
    note: "its events cost 1 index after the response",
  },
  {
    page: "saving an alert rule",
    before: "1 index, 1 alerts, 1 registry",
    after: "1 registry",
  },
  {
    page: "adding a destination of alerts",
    before: "2 alerts, 1 registry",
    after: "1 registry",
    note: "1 alerts more to change or to delete it; 1 index, 3 alerts after a new secret",
  },
  {
    page: "sending an unknown message again",
    before: "2 alerts, 1 registry",
    after: "1 registry",
    note: "1 alerts names the message in the audit log",
  },
  {
    page: "testing an unknown destination",
    before: "3 alerts, 1 registry",
    after: "1 registry",
    note: "1 alerts names the destination in the audit log, and 1 alerts more for a known one; a test calls the service and waits for the response",
  },
  {
    page: "creating the address of a feed",
    before: "2 index, 1 registry",
    after: "1 index, 3 alerts, 1 registry",
  },
  {
    page: "deleting an upload of source maps",
    before: "1 maps, 1 registry",
    after: "1 registry",
  },
  { page: "changes on `/projects` and `/settings`", before: "1 registry" },
  {
    page: "changes on `/settings` that show a secret once",
    before: "1 registry",
    after: "1 registry",
  },
  { page: "starting a passkey sign-in", before: "1 limit" },
  {
    page: "`/oauth/authorize`, a program that is not allowed",
    before: "1 limit",
    note: "reads the metadata of any other program at its address; 2 registry for a decision",
  },
  {
    page: "`/device` with an unknown code",
    before: "1 registry, 1 limit",
    note: "3 registry for a decision about a known one",
  },
  {
    page: "`/oauth/token`, `/oauth/revoke`",
    before: "2 registry, 1 limit",
    note: "1 registry while a device waits",
  },
  { page: "`/oauth/device`", before: "1 registry, 1 limit" },
  {
    page: "changes on `/profile`; signing in with a code",
    before: "1 registry, 1 limit",
    note: "2 registry with a passkey",
  },
  {
    page: "`/import`",
    before: "1 log, 1 registry",
    note: "1 log for each shard, for each 100 lines or 1 MB",
  },
  {
    page: "erasing an issue",
    before: "1 KV list, 1 index, 1 registry",
    after: "1 registry",
    note: "as for a person",
  },
  {
    page: "erasing a person or everything; rebuilding",
    before: "1 KV list, 1 index, 1 registry",
    after: "1 registry",
    note: "the objects continue: they list chunks, read each one that may match and write each one that does",
  },
  {
    page: "the preview of an erasure",
    before: "1 index",
    note: "up to six reads in four seconds, while it counts",
  },
  {
    page: "previewing an erasure; confirming one whose preview has expired",
    before: "1 index, 1 registry",
    after: "1 registry",
  },
  { page: "erasing a report", before: "1 KV list, 2 index, 1 registry", after: "1 registry" },
  {
    page: "uploading a source map, as a member",
    before: "1 maps, 1 registry",
    note: "with an upload token, only the call to the maps",
  },
  {
    page: "signing out",
    before: "1 registry",
    after: "3 index",
    note: "1 index for each project of the person",
  },
];

/** Every row that is counted. */
export const PAGE_COSTS: readonly PageCost[] = ROWS.map((row) => ({
  before: "nothing",
  after: "nothing",
  ...row,
}));
