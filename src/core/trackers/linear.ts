/**
 * Linear, by GraphQL. All values are variables, so that no text can change a query. Sources:
 * linear.app/developers, "GraphQL API" and "Webhooks".
 */

import type { ItemState } from "../issue/tracker-link.ts";
import { fail, ok, type Result } from "../result.ts";
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
  andThen,
  ask,
  type Exchange,
  getBase,
  isSameProject,
  listSegments,
  readResult,
  type TrackerFailure,
  type TrackerItem,
  type TrackerKind,
} from "./tracker-kind.ts";
import { toTrackerMarkdown } from "./tracker-text.ts";

const APP_URL = "https://linear.app";
const API_URL = "https://api.linear.app";
const ITEM = /^([A-Z][A-Z\d]{0,9})-[1-9]\d{0,9}$/;
/** The types of workflow states in which an issue is closed. */
const CLOSED_TYPES = new Set(["completed", "canceled", "duplicate"]);
const ITEM_FIELDS = "identifier url state { type }";

/** Sends a query; its `data`. Linear answers refusals with `errors`, also with status 200. */
function* query(tracker: Tracker, text: string, variables: object): Exchange<unknown> {
  const { token } = tracker;
  const answer = yield* ask({
    method: "POST",
    url: `${getBase(tracker, API_URL)}/graphql`,
    // Only keys of people are sent as they are.
    headers: { authorization: token.startsWith("lin_api_") ? token : `Bearer ${token}` },
    body: { query: text, variables },
  });
  return answer.ok ? readData(answer.value) : answer;
}

function readData(json: unknown): Result<unknown, TrackerFailure> {
  const [error] = readList(json, "errors");
  if (error === undefined) return ok(readAt(json, "data"));
  const message = readText(error, "extensions", "userPresentableMessage") ?? "";
  const own = "Linear refused the request.";
  const detail = message === "" ? own : `${own.slice(0, -1)}: ${message.slice(0, 200)}`;
  const isLimit = readText(error, "extensions", "code") === "RATELIMITED";
  return isLimit
    ? fail({ reason: "unavailable", detail: "Linear asks to wait." })
    : fail({ reason: "refused", detail, own });
}

function readState(issue: unknown): ItemState | undefined {
  const type = readText(issue, "state", "type");
  return type === undefined ? undefined : CLOSED_TYPES.has(type) ? "closed" : "open";
}

function readItem(issue: unknown): TrackerItem | undefined {
  const item = readText(issue, "identifier");
  const url = readText(issue, "url");
  const state = readState(issue);
  if (item === undefined || url === undefined || state === undefined) return undefined;
  return { item, label: item, url, state };
}

/** The id of the team that the connection names. */
function* findTeam(tracker: Tracker): Exchange<{ id: string; name: string }> {
  const text =
    "query($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id name } } }";
  const found = yield* query(tracker, text, { key: tracker.project });
  if (!found.ok) return found;
  const [team] = readList(found.value, "teams", "nodes");
  const id = readText(team, "id");
  if (id === undefined)
    return fail({ reason: "refused", detail: "Linear has no team with this key." });
  return ok({ id, name: readText(team, "name") ?? tracker.project });
}

/** The workflow state of the issue's team that opens or closes it: the first of its type. */
function* findState(tracker: Tracker, item: string, state: ItemState): Exchange<string | null> {
  const text =
    "query($id: String!) { issue(id: $id) { state { type } team { states { nodes { id type position } } } } }";
  const found = yield* query(tracker, text, { id: item });
  if (!found.ok) return found;
  const issue = readAt(found.value, "issue");
  if (readState(issue) === state) return ok(null);
  const types = state === "closed" ? ["completed"] : ["unstarted", "backlog", "started"];
  const states = readList(issue, "team", "states", "nodes").toSorted(
    (a, b) => Number(readAt(a, "position")) - Number(readAt(b, "position")),
  );
  const ids = types.flatMap((type) => states.filter((one) => readText(one, "type") === type));
  return readResult(ids[0], (first) => readText(first, "id"));
}

export const linear: TrackerKind = {
  kind: "linear",
  label: "Linear",
  projectWord: "Team",
  placeholder: "ENG",
  baseUrl: API_URL,
  isSelfHosted: false,
  tokenHint: "A personal API key with the permissions Read, Create issues and Write.",
  hookHint: "Data change events: Issues. Linear shows the signing secret: enter it here.",
  createsSecret: true,
  parseProject(text) {
    const key = text.trim().toUpperCase();
    return /^[A-Z][A-Z\d]{0,9}$/.test(key) ? key : undefined;
  },
  toItem({ project }, url) {
    const [, word, item = ""] = listSegments(APP_URL, url) ?? [];
    const [, team] = ITEM.exec(item.toUpperCase()) ?? [];
    if (word !== "issue" || team !== project) return undefined;
    return { item: item.toUpperCase(), label: item.toUpperCase() };
  },
  *check(tracker) {
    const team = yield* findTeam(tracker);
    return team.ok ? ok(team.value.name) : team;
  },
  create: (tracker, draft) =>
    andThen(findTeam(tracker), function* ({ id: teamId }) {
      // Linear takes the id of a new issue, so that a repeated call makes no second one.
      const input = { id: draft.id, teamId, title: draft.title };
      const text = `mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${ITEM_FIELDS} } } }`;
      const description = toTrackerMarkdown(draft);
      const done = yield* query(tracker, text, { input: { ...input, description } });
      if (!done.ok) return done;
      return readResult(done.value, (data) => readItem(readAt(data, "issueCreate", "issue")));
    }),
  *find(tracker, { id }) {
    const text = `query($id: ID!) { issues(filter: { id: { eq: $id } }) { nodes { ${ITEM_FIELDS} } } }`;
    const found = yield* query(tracker, text, { id });
    return found.ok ? ok(readItem(readList(found.value, "issues", "nodes")[0])) : found;
  },
  *read(tracker, item) {
    const text = "query($id: String!) { issue(id: $id) { state { type } } }";
    const found = yield* query(tracker, text, { id: item });
    return found.ok ? readResult(found.value, (data) => readState(readAt(data, "issue"))) : found;
  },
  setState: (tracker, item, state) =>
    andThen(findState(tracker, item, state), function* (stateId) {
      if (stateId === null) return ok(undefined);
      const text =
        "mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }";
      const done = yield* query(tracker, text, { id: item, input: { stateId } });
      return done.ok ? ok(undefined) : done;
    }),
  *comment(tracker, item, comment) {
    const text =
      "mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success } }";
    const input = { id: comment.id, issueId: item, body: toTrackerMarkdown(comment) };
    const done = yield* query(tracker, text, { input });
    return done.ok ? ok(undefined) : done;
  },
  *hasComment(tracker, _item, { id }) {
    const text = "query($id: ID!) { comments(filter: { id: { eq: $id } }) { nodes { id } } }";
    const found = yield* query(tracker, text, { id });
    return found.ok ? ok(readList(found.value, "comments", "nodes").length > 0) : found;
  },
  signatures: [{ scheme: "hmac", header: "linear-signature", prefix: "" }],
  deliveryHeaders: ["linear-delivery"],
  readSentMs: (body) => readTime(body, "webhookTimestamp"),
  toEvents({ project }, _readHeader, body) {
    const item = readText(body, "data", "identifier");
    const isIssue = readText(body, "type") === "Issue" && readText(body, "action") === "update";
    // Other changes of an issue leave its state as it is.
    const hasState = readText(body, "updatedFrom", "stateId") !== undefined;
    if (!isIssue || !hasState || item === undefined) return [];
    if (!isSameProject(ITEM.exec(item)?.[1], project)) return [];
    const state = readState(readAt(body, "data"));
    return state === undefined ? [] : [toStateEvent(item, state, body)];
  },
};

function toStateEvent(item: string, state: ItemState, body: unknown): StateEvent {
  const facts = {
    item,
    by: readName(body, "actor", "name"),
    atMs: readTime(body, "data", "updatedAt"),
  };
  if (state === "open") return { kind: "state", state, ...facts };
  const type = readText(body, "data", "state", "type");
  const resolution =
    type === "canceled" ? "not-planned" : type === "duplicate" ? "duplicate" : "completed";
  return { kind: "state", state, resolution, ...facts };
}
