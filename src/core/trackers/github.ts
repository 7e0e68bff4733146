/**
 * GitHub and GitHub Enterprise Server. Sources: docs.github.com, REST API "Issues", "Webhook events
 * and payloads", "Validating webhook deliveries".
 */
import { parseGitHubRepository } from "../alerts/formats/github-issue.ts";
import type { ItemState } from "../issue/tracker-link.ts";
import { ok } from "../result.ts";
import type { Tracker } from "./tracker.ts";
import {
  MAX_COMMITS,
  readAt,
  readList,
  readName,
  readNumber,
  readText,
  readTime,
  type TrackerEvent,
  toFixEvents,
} from "./tracker-event.ts";
import {
  ask,
  getBase,
  ITEM_NUMBER,
  isSameProject,
  listSegments,
  readResult,
  type TrackerItem,
  type TrackerKind,
  type TrackerPlace,
  type TrackerRequest,
} from "./tracker-kind.ts";
import { toTrackerMarkdown } from "./tracker-text.ts";

const PUBLIC_URL = "https://github.com";
const EVENT_HEADER = "x-github-event";
const API_VERSION = "2022-11-28";

function request(
  tracker: Tracker,
  method: TrackerRequest["method"],
  path: string,
  body?: object,
): TrackerRequest {
  const base = getBase(tracker, PUBLIC_URL);
  const api = base === PUBLIC_URL ? "https://api.github.com" : `${base}/api/v3`;
  return {
    method,
    url: `${api}/repos/${tracker.project}${path}`,
    headers: {
      authorization: `Bearer ${tracker.token}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": API_VERSION,
    },
    ...(body !== undefined && { body }),
  };
}

export const github: TrackerKind = {
  kind: "github",
  label: "GitHub",
  projectWord: "Repository",
  placeholder: "acme/shop",
  baseUrl: PUBLIC_URL,
  isSelfHosted: true,
  tokenHint: "A fine-grained token for this repository with Issues: read and write.",
  hookHint: "Content type application/json; events Issues, Pushes and Pull requests.",
  parseProject(text) {
    const repository = parseGitHubRepository(text.trim());
    return repository.ok ? repository.value : undefined;
  },
  toItem(place, url) {
    const [owner, name, word, item = ""] = listSegments(getBase(place, PUBLIC_URL), url) ?? [];
    const isIssue = word === "issues" && ITEM_NUMBER.test(item);
    if (!isIssue || !isSameProject(`${owner}/${name}`, place.project)) return undefined;
    return { item, label: `${place.project}#${item}` };
  },
  *check(tracker) {
    const read = yield* ask(request(tracker, "GET", ""));
    return read.ok ? readResult(read.value, (json) => readText(json, "full_name")) : read;
  },
  *create(tracker, draft) {
    const body = { title: draft.title, body: toTrackerMarkdown(draft) };
    const created = yield* ask(request(tracker, "POST", "/issues", body));
    return created.ok ? readResult(created.value, (json) => readItem(tracker, json)) : created;
  },
  *find(tracker, { id }) {
    const query = "/issues?state=all&sort=created&direction=desc&per_page=50";
    const listed = yield* ask(request(tracker, "GET", query));
    if (!listed.ok) return listed;
    const found = readList(listed.value).find((one) => readText(one, "body")?.includes(id));
    return ok(readItem(tracker, found));
  },
  *read(tracker, item) {
    const read = yield* ask(request(tracker, "GET", `/issues/${item}`));
    return read.ok ? readResult(read.value, readState) : read;
  },
  *setState(tracker, item, state) {
    const reason = state === "closed" ? "completed" : "reopened";
    const body = { state, state_reason: reason };
    const set = yield* ask(request(tracker, "PATCH", `/issues/${item}`, body));
    return set.ok ? ok(undefined) : set;
  },
  *comment(tracker, item, text) {
    const body = { body: toTrackerMarkdown(text) };
    const sent = yield* ask(request(tracker, "POST", `/issues/${item}/comments`, body));
    return sent.ok ? ok(undefined) : sent;
  },
  *hasComment(tracker, item, { id, sinceMs }) {
    // Oldest first: without a time, the newest comment may be on another page.
    const since = new Date(sinceMs).toISOString();
    const query = `/issues/${item}/comments?per_page=100&since=${since}`;
    const listed = yield* ask(request(tracker, "GET", query));
    if (!listed.ok) return listed;
    return ok(readList(listed.value).some((one) => readText(one, "body")?.includes(id) === true));
  },
  signatures: [{ scheme: "hmac", header: "x-hub-signature-256", prefix: "sha256=" }],
  deliveryHeaders: ["x-github-delivery"],
  eventHeader: EVENT_HEADER,
  toEvents(place, readHeader, body) {
    const repository = readText(body, "repository", "full_name");
    switch (readHeader(EVENT_HEADER)) {
      case "issues":
        return isSameProject(repository, place.project) ? readIssueEvent(body) : [];
      case "push":
        return readPush(repository, body);
      case "pull_request":
        return readPullRequest(repository, body);
      default:
        return [];
    }
  },
};

function readState(json: unknown): ItemState | undefined {
  const state = readText(json, "state");
  return state === "open" || state === "closed" ? state : undefined;
}

function readItem({ project }: TrackerPlace, json: unknown): TrackerItem | undefined {
  const item = readNumber(json, "number");
  const url = readText(json, "html_url");
  const state = readState(json);
  if (item === undefined || url === undefined || state === undefined) return undefined;
  return { item, label: `${project}#${item}`, url, state };
}

function readIssueEvent(body: unknown): readonly TrackerEvent[] {
  const action = readText(body, "action");
  const item = readNumber(body, "issue", "number");
  if (item === undefined || (action !== "closed" && action !== "reopened")) return [];
  const facts = {
    item,
    by: readName(body, "sender", "login"),
    atMs: readTime(body, "issue", "updated_at"),
  };
  if (action === "reopened") return [{ kind: "state", state: "open", ...facts }];
  const reason = readText(body, "issue", "state_reason");
  const resolution =
    reason === "not_planned" ? "not-planned" : reason === "duplicate" ? "duplicate" : "completed";
  return [{ kind: "state", state: "closed", resolution, ...facts }];
}

function readPush(repository: string | undefined, body: unknown): readonly TrackerEvent[] {
  const branch = readText(body, "repository", "default_branch");
  if (branch === undefined || readText(body, "ref") !== `refs/heads/${branch}`) return [];
  return readList(body, "commits")
    .slice(0, MAX_COMMITS)
    .flatMap((commit) =>
      toFixEvents([readText(commit, "message")], {
        stage: "merged",
        repository,
        url: readText(commit, "url"),
        commit: readText(commit, "id"),
        author: readName(commit, "author", "name"),
        atMs: readTime(commit, "timestamp"),
      }),
    );
}

function readPullRequest(repository: string | undefined, body: unknown): readonly TrackerEvent[] {
  const pull = readAt(body, "pull_request");
  // Anybody can open one from a fork.
  if (repository === undefined) return [];
  if (!isSameProject(readText(pull, "head", "repo", "full_name"), repository)) return [];
  const branch = readText(body, "repository", "default_branch");
  const isDefault = branch !== undefined && readText(pull, "base", "ref") === branch;
  const stage = readStage(readText(body, "action"), readAt(pull, "merged") === true);
  if (stage === undefined || (stage === "merged" && !isDefault)) return [];
  const commit = stage === "merged" ? readText(pull, "merge_commit_sha") : undefined;
  return toFixEvents([readText(pull, "title"), readText(pull, "body")], {
    stage,
    repository,
    url: readText(pull, "html_url"),
    title: readText(pull, "title"),
    commit,
    author: readName(pull, "user", "login"),
    atMs: readTime(pull, "updated_at"),
  });
}

function readStage(action: string | undefined, isMerged: boolean) {
  switch (action) {
    case "opened":
    case "edited":
    case "reopened":
      return "proposed" as const;
    case "closed":
      return isMerged ? ("merged" as const) : ("closed" as const);
    default:
      return undefined;
  }
}
