/**
 * GitLab.com and GitLab of one's own. Sources: docs.gitlab.com, "Issues API", "Notes API", "Webhook
 * events"; the signature of `webhook-signature` is that of Standard Webhooks 1.0.0.
 */

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

const PUBLIC_URL = "https://gitlab.com";
const PROJECT = /^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20}$/;

function request(
  tracker: Tracker,
  method: TrackerRequest["method"],
  path: string,
  body?: object,
): TrackerRequest {
  const project = encodeURIComponent(tracker.project);
  return {
    method,
    url: `${getBase(tracker, PUBLIC_URL)}/api/v4/projects/${project}${path}`,
    headers: { "private-token": tracker.token },
    ...(body !== undefined && { body }),
  };
}

export const gitlab: TrackerKind = {
  kind: "gitlab",
  label: "GitLab",
  projectWord: "Project",
  placeholder: "acme/web/shop",
  baseUrl: PUBLIC_URL,
  isSelfHosted: true,
  tokenHint: "A project access token with the role Reporter and the scope api.",
  hookHint:
    "Paste the secret as the signing token, or as the secret token of an older version. Events: Push, Issues and Merge requests.",
  parseProject(text) {
    const path = text.trim().replace(/^\/+|\/+$|\.git$/g, "");
    return PROJECT.test(path) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(path) ? path : undefined;
  },
  toItem(place, url) {
    const segments = listSegments(getBase(place, PUBLIC_URL), url) ?? [];
    const [dash, word = "", item = ""] = segments.slice(-3);
    const isIssue = dash === "-" && /^(?:issues|work_items)$/.test(word) && ITEM_NUMBER.test(item);
    if (!isIssue || !isSameProject(segments.slice(0, -3).join("/"), place.project))
      return undefined;
    return { item, label: `${place.project}#${item}` };
  },
  *check(tracker) {
    const read = yield* ask(request(tracker, "GET", ""));
    return read.ok ? readResult(read.value, (json) => readText(json, "path_with_namespace")) : read;
  },
  *create(tracker, draft) {
    const body = { title: draft.title, description: toTrackerMarkdown(draft) };
    const created = yield* ask(request(tracker, "POST", "/issues", body));
    return created.ok ? readResult(created.value, (json) => readItem(tracker, json)) : created;
  },
  *find(tracker, { id }) {
    const query = "/issues?scope=all&order_by=created_at&sort=desc&per_page=50";
    const listed = yield* ask(request(tracker, "GET", query));
    if (!listed.ok) return listed;
    const found = readList(listed.value).find((one) => readText(one, "description")?.includes(id));
    return ok(readItem(tracker, found));
  },
  *read(tracker, item) {
    const read = yield* ask(request(tracker, "GET", `/issues/${item}`));
    return read.ok ? readResult(read.value, readState) : read;
  },
  *setState(tracker, item, state) {
    const body = { state_event: state === "closed" ? "close" : "reopen" };
    const set = yield* ask(request(tracker, "PUT", `/issues/${item}`, body));
    return set.ok ? ok(undefined) : set;
  },
  *comment(tracker, item, text) {
    const body = { body: toTrackerMarkdown(text) };
    const sent = yield* ask(request(tracker, "POST", `/issues/${item}/notes`, body));
    return sent.ok ? ok(undefined) : sent;
  },
  *hasComment(tracker, item, { id }) {
    const query = `/issues/${item}/notes?sort=desc&order_by=created_at&per_page=100`;
    const listed = yield* ask(request(tracker, "GET", query));
    if (!listed.ok) return listed;
    return ok(readList(listed.value).some((one) => readText(one, "body")?.includes(id) === true));
  },
  signatures: [{ scheme: "standard" }, { scheme: "token", header: "x-gitlab-token" }],
  deliveryHeaders: ["webhook-id", "idempotency-key", "x-gitlab-event-uuid"],
  toEvents(place, _readHeader, body) {
    const repository = readText(body, "project", "path_with_namespace");
    switch (readText(body, "object_kind")) {
      case "issue":
        return isSameProject(repository, place.project) ? readIssueEvent(body) : [];
      case "push":
        return readPush(repository, body);
      case "merge_request":
        return readMergeRequest(repository, body);
      default:
        return [];
    }
  },
};

function readState(json: unknown): ItemState | undefined {
  const state = readText(json, "state");
  return state === "opened" ? "open" : state === "closed" ? "closed" : undefined;
}

function readItem({ project }: TrackerPlace, json: unknown): TrackerItem | undefined {
  const item = readNumber(json, "iid");
  const url = readText(json, "web_url");
  const state = readState(json);
  if (item === undefined || url === undefined || state === undefined) return undefined;
  return { item, label: `${project}#${item}`, url, state };
}

function readIssueEvent(body: unknown): readonly TrackerEvent[] {
  const action = readText(body, "object_attributes", "action");
  const item = readNumber(body, "object_attributes", "iid");
  if (item === undefined || (action !== "close" && action !== "reopen")) return [];
  const facts = {
    item,
    by: readName(body, "user", "username"),
    atMs: readTime(body, "object_attributes", "updated_at"),
  };
  return action === "reopen"
    ? [{ kind: "state", state: "open", ...facts }]
    : [{ kind: "state", state: "closed", resolution: "completed", ...facts }];
}

function readPush(repository: string | undefined, body: unknown): readonly TrackerEvent[] {
  const branch = readText(body, "project", "default_branch");
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

const STAGES: Readonly<Record<string, "proposed" | "merged" | "closed">> = {
  open: "proposed",
  reopen: "proposed",
  update: "proposed",
  merge: "merged",
  close: "closed",
};

function readMergeRequest(repository: string | undefined, body: unknown): readonly TrackerEvent[] {
  const request = readAt(body, "object_attributes");
  const source = readNumber(request, "source_project_id");
  // Anybody can open one from a fork.
  if (source === undefined || source !== readNumber(request, "target_project_id")) return [];
  const branch = readText(body, "project", "default_branch");
  const isDefault = branch !== undefined && readText(request, "target_branch") === branch;
  const action = readText(request, "action") ?? "";
  const stage = Object.hasOwn(STAGES, action) ? STAGES[action] : undefined;
  // `update` also follows the merge.
  const isOpen = readText(request, "state") !== "merged" && readText(request, "state") !== "closed";
  if (stage === undefined || (stage === "merged" && !isDefault)) return [];
  if (stage === "proposed" && !isOpen) return [];
  const commit = stage === "merged" ? readText(request, "merge_commit_sha") : undefined;
  return toFixEvents([readText(request, "title"), readText(request, "description")], {
    stage,
    repository,
    url: readText(request, "url"),
    title: readText(request, "title"),
    commit,
    author: readName(body, "user", "username"),
    atMs: readTime(request, "updated_at"),
  });
}
