/**
 * Jira Cloud (REST API version 3) and Jira Data Center (version 2, without an email address).
 * Sources: developer.atlassian.com, "Issues", "Issue comments", "Issue search", "Webhooks"
 * (`X-Hub-Signature`, `X-Atlassian-Webhook-Identifier`).
 */

import type { ItemState } from "../issue/tracker-link.ts";
import { ok } from "../result.ts";
import type { Tracker } from "./tracker.ts";
import {
  readAt,
  readList,
  readName,
  readText,
  readTime,
  type StateEvent,
} from "./tracker-event.ts";
import {
  ask,
  type Exchange,
  getBase,
  isSameProject,
  listSegments,
  readResult,
  type TrackerItem,
  type TrackerKind,
  type TrackerPlace,
  type TrackerRequest,
} from "./tracker-kind.ts";
import { type TrackerText, toAtlassianDocument, toWikiMarkup } from "./tracker-text.ts";

const ITEM = /^([A-Z][A-Z\d_]{1,20})-[1-9]\d{0,9}$/;
const DEFAULT_TYPE = "Bug";
/** Resolutions that are no fix. Their names can be translated, so others count as completed. */
const NOT_PLANNED = /won[’']?t|not (?:a bug|planned|doing)|cannot reproduce|declined|invalid/i;

const isCloud = ({ email }: Tracker) => email !== undefined;

function request(
  tracker: Tracker,
  method: TrackerRequest["method"],
  path: string,
  body?: object,
): TrackerRequest {
  const { email, token } = tracker;
  const authorization =
    email === undefined ? `Bearer ${token}` : `Basic ${toBase64(`${email}:${token}`)}`;
  const version = isCloud(tracker) ? "3" : "2";
  return {
    method,
    url: `${getBase(tracker)}/rest/api/${version}${path}`,
    headers: { authorization, accept: "application/json" },
    ...(body !== undefined && { body }),
  };
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const toBody = (tracker: Tracker, text: TrackerText) =>
  isCloud(tracker) ? toAtlassianDocument(text) : toWikiMarkup(text);

function readState(json: unknown): ItemState | undefined {
  const key = readText(json, "fields", "status", "statusCategory", "key");
  return key === undefined ? undefined : key === "done" ? "closed" : "open";
}

function toTrackerItem(place: TrackerPlace, key: string, state: ItemState): TrackerItem {
  return { item: key, label: key, url: `${getBase(place)}/browse/${key}`, state };
}

/** The first transition that leads to a status of this state. */
function* findTransition(tracker: Tracker, item: string, state: ItemState): Exchange<string> {
  const read = yield* ask(request(tracker, "GET", `/issue/${item}/transitions`));
  if (!read.ok) return read;
  const categories = state === "closed" ? ["done"] : ["new", "indeterminate"];
  const all = readList(read.value, "transitions");
  const found = categories.flatMap((category) =>
    all.filter((one) => readText(one, "to", "statusCategory", "key") === category),
  );
  return readResult(found[0], (first) => readText(first, "id"));
}

function* read(tracker: Tracker, item: string): Exchange<ItemState> {
  const answer = yield* ask(request(tracker, "GET", `/issue/${item}?fields=status`));
  return answer.ok ? readResult(answer.value, readState) : answer;
}

export const jira: TrackerKind = {
  kind: "jira",
  label: "Jira",
  projectWord: "Project",
  placeholder: "SHOP",
  isSelfHosted: true,
  tokenHint:
    "Cloud: an API token, and the email address of its account. Data Center: a personal access token, without an address.",
  hookHint: "Event: Issue updated. Paste the secret; Data Center signs no webhooks.",
  parseProject(text) {
    const key = text.trim().toUpperCase();
    return /^[A-Z][A-Z\d_]{1,20}$/.test(key) ? key : undefined;
  },
  toItem(place, url) {
    const [word, item = ""] = listSegments(getBase(place), url) ?? [];
    if (word !== "browse" || ITEM.exec(item)?.[1] !== place.project) return undefined;
    return { item, label: item };
  },
  *check(tracker) {
    const answer = yield* ask(request(tracker, "GET", `/project/${tracker.project}`));
    return answer.ok ? readResult(answer.value, (json) => readText(json, "name")) : answer;
  },
  *create(tracker, draft) {
    const fields = {
      project: { key: tracker.project },
      issuetype: { name: tracker.issueType ?? DEFAULT_TYPE },
      summary: draft.title.slice(0, 255),
      description: toBody(tracker, draft),
    };
    const created = yield* ask(request(tracker, "POST", "/issue", { fields }));
    if (!created.ok) return created;
    return readResult(created.value, (json) => {
      const key = readText(json, "key");
      return key === undefined ? undefined : toTrackerItem(tracker, key, "open");
    });
  },
  *find(tracker, { id }) {
    const jql = `project = "${tracker.project}" AND created >= -1d ORDER BY created DESC`;
    const path = isCloud(tracker) ? "/search/jql" : "/search";
    const query = new URLSearchParams({ jql, fields: "description,status", maxResults: "50" });
    const listed = yield* ask(request(tracker, "GET", `${path}?${query}`));
    if (!listed.ok) return listed;
    const found = readList(listed.value, "issues").find((one) =>
      (JSON.stringify(readAt(one, "fields", "description")) ?? "").includes(id),
    );
    const key = readText(found, "key");
    return ok(
      key === undefined ? undefined : toTrackerItem(tracker, key, readState(found) ?? "open"),
    );
  },
  read,
  *setState(tracker, item, state) {
    const current = yield* read(tracker, item);
    if (!current.ok) return current;
    // A second transition could lead elsewhere.
    if (current.value === state) return ok(undefined);
    const transition = yield* findTransition(tracker, item, state);
    if (!transition.ok) return transition;
    const body = { transition: { id: transition.value } };
    const set = yield* ask(request(tracker, "POST", `/issue/${item}/transitions`, body));
    return set.ok ? ok(undefined) : set;
  },
  *comment(tracker, item, text) {
    const body = { body: toBody(tracker, text) };
    const sent = yield* ask(request(tracker, "POST", `/issue/${item}/comment`, body));
    return sent.ok ? ok(undefined) : sent;
  },
  *hasComment(tracker, item, { id }) {
    const query = "orderBy=-created&maxResults=50";
    const listed = yield* ask(request(tracker, "GET", `/issue/${item}/comment?${query}`));
    if (!listed.ok) return listed;
    const all = readList(listed.value, "comments");
    return ok(all.some((one) => (JSON.stringify(readAt(one, "body")) ?? "").includes(id)));
  },
  signatures: [{ scheme: "hmac", header: "x-hub-signature", prefix: "sha256=" }],
  deliveryHeaders: ["x-atlassian-webhook-identifier"],
  toEvents({ project }, _readHeader, body) {
    const item = readText(body, "issue", "key") ?? "";
    const isUpdate = readText(body, "webhookEvent") === "jira:issue_updated";
    if (!isUpdate || !isSameProject(ITEM.exec(item)?.[1], project)) return [];
    const isMoved = readList(body, "changelog", "items").some(
      (one) => readText(one, "field") === "status",
    );
    const state = readState(readAt(body, "issue"));
    return !isMoved || state === undefined ? [] : [toStateEvent(item, state, body)];
  },
};

function toStateEvent(item: string, state: ItemState, body: unknown): StateEvent {
  const facts = {
    item,
    by: readName(body, "user", "displayName"),
    atMs: readTime(body, "timestamp"),
  };
  if (state === "open") return { kind: "state", state, ...facts };
  const name = readText(body, "issue", "fields", "resolution", "name") ?? "";
  const resolution = /duplicate/i.test(name)
    ? "duplicate"
    : NOT_PLANNED.test(name)
      ? "not-planned"
      : "completed";
  return { kind: "state", state, resolution, ...facts };
}
