/**
 * GitHub Enterprise, GitLab, Linear and Jira, as far as Errata uses them, below one origin. They
 * keep issues, refuse what the real ones refuse, and fail as a test plans.
 */
import type { Tracker } from "#src/core/trackers/tracker.ts";

type Json = Readonly<Record<string, unknown>>;

interface FakeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: unknown;
  readonly id?: string;
  isOpen: boolean;
  readonly comments: { readonly body: unknown; readonly id?: string }[];
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Json | undefined;
}

/** Answers in place of the service; `perform` is what the service does. */
type Plan = (
  n: number,
  request: ReceivedRequest,
  perform: () => Response,
) => Response | Promise<Response>;

export const TOKEN = "token-of-the-tests";
export const SECRET = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;

export type KindName = Tracker["kind"];
export const KINDS: readonly KindName[] = ["github", "gitlab", "linear", "jira"];

const PROJECTS = { github: "acme/shop", gitlab: "acme/web/shop", linear: "ENG", jira: "SHOP" };
const EMAIL = "ada@example.com";

/** A connection to a service below `origin`. */
export function createTracker(
  kind: KindName,
  origin: string,
  over: Partial<Tracker> = {},
): Tracker {
  return {
    id: "0123456789abcdef0123456789abcdef",
    kind,
    project: PROJECTS[kind],
    baseUrl: `${origin}/${kind}`,
    token: TOKEN,
    secret: SECRET,
    createdMs: 1,
    ...(kind === "jira" && { email: EMAIL }),
    ...over,
  };
}

export class FakeTrackers {
  readonly received: ReceivedRequest[] = [];
  readonly issues: Record<KindName, FakeIssue[]> = { github: [], gitlab: [], linear: [], jira: [] };
  plan: Plan = (_, __, perform) => perform();
  /** The token that the services accept. */
  token = TOKEN;

  async respond(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const body = text === "" ? undefined : (JSON.parse(text) as Json);
    const { method, headers } = request;
    const received = { method, path: pathname + search, headers, body };
    this.received.push(received);
    const perform = () => this.#perform(received, pathname);
    return this.plan(this.received.length - 1, received, perform);
  }

  /** The only issue of a service. */
  only(kind: KindName): FakeIssue {
    const [issue, ...others] = this.issues[kind];
    if (issue === undefined || others.length > 0)
      throw new Error(`${this.issues[kind].length} issues in ${kind}`);
    return issue;
  }

  /** Adds an issue that a person created. */
  add(kind: KindName, isOpen = true): FakeIssue {
    const number = this.issues[kind].length + 1;
    const issue = { number, title: "By a person", body: "", isOpen, comments: [] };
    this.issues[kind].push(issue);
    return issue;
  }

  #perform(request: ReceivedRequest, path: string): Response {
    const [, kind = "", ...rest] = path.split("/");
    if (request.headers.get("user-agent") !== "Errata") return refuse(400, "no user agent");
    const isJson = request.headers.get("content-type") === "application/json";
    if (request.body !== undefined && !isJson) return refuse(415, "not JSON");
    switch (kind) {
      case "github":
        return this.#github(request, rest);
      case "gitlab":
        return this.#gitlab(request, rest);
      case "linear":
        return this.#linear(request, rest);
      case "jira":
        return this.#jira(request, rest);
      default:
        return refuse(404, "no service");
    }
  }

  #github({ method, headers, body = {} }: ReceivedRequest, path: readonly string[]): Response {
    if (headers.get("authorization") !== `Bearer ${this.token}`)
      return refuse(401, "Bad credentials");
    if (headers.get("x-github-api-version") !== "2022-11-28") return refuse(400, "version");
    if (path.slice(0, 5).join("/") !== "api/v3/repos/acme/shop") return refuse(404, "Not Found");
    const [word, number, comments] = path.slice(5);
    const show = (issue: FakeIssue) => ({
      number: issue.number,
      html_url: `http://${new URL("http://127.0.0.1").host}/github/acme/shop/issues/${issue.number}`,
      state: issue.isOpen ? "open" : "closed",
      body: issue.body,
    });
    if (word === undefined) return Response.json({ full_name: "acme/shop" });
    if (word !== "issues") return refuse(404, "Not Found");
    if (number === undefined && method === "GET")
      return Response.json(this.issues.github.toReversed().map(show));
    if (number === undefined) {
      if (typeof body.title !== "string" || body.title.length > 256) return refuse(422, "title");
      return Response.json(show(this.#create("github", body.title, body.body)), { status: 201 });
    }
    const issue = this.#find("github", number);
    if (issue === undefined) return refuse(404, "Not Found");
    if (comments === undefined && method === "GET") return Response.json(show(issue));
    if (comments === undefined && method === "PATCH") {
      const reason = body.state === "closed" ? "completed" : "reopened";
      if (body.state_reason !== reason) return refuse(422, "state_reason");
      issue.isOpen = body.state === "open";
      return Response.json(show(issue));
    }
    if (method === "GET") return Response.json(issue.comments);
    issue.comments.push({ body: body.body });
    return Response.json({ id: 1 }, { status: 201 });
  }

  #gitlab({ method, headers, body = {} }: ReceivedRequest, path: readonly string[]): Response {
    if (headers.get("private-token") !== this.token) return refuse(401, "401 Unauthorized");
    if (path.slice(0, 4).join("/") !== "api/v4/projects/acme%2Fweb%2Fshop")
      return refuse(404, "404 Project Not Found");
    const [word, number, notes] = path.slice(4);
    const show = (issue: FakeIssue) => ({
      iid: issue.number,
      web_url: `http://127.0.0.1/gitlab/acme/web/shop/-/issues/${issue.number}`,
      state: issue.isOpen ? "opened" : "closed",
      description: issue.body,
    });
    if (word === undefined) return Response.json({ path_with_namespace: "acme/web/shop" });
    if (number === undefined && method === "GET")
      return Response.json(this.issues.gitlab.toReversed().map(show));
    if (number === undefined)
      return Response.json(show(this.#create("gitlab", body.title, body.description)), {
        status: 201,
      });
    const issue = this.#find("gitlab", number);
    if (issue === undefined) return refuse(404, "404 Not found");
    if (notes === undefined && method === "PUT") {
      if (body.state_event !== "close" && body.state_event !== "reopen")
        return refuse(400, "state_event");
      issue.isOpen = body.state_event === "reopen";
    }
    if (notes === undefined) return Response.json(show(issue));
    if (method === "GET") return Response.json(issue.comments.toReversed());
    issue.comments.push({ body: body.body });
    return Response.json({ id: 1 }, { status: 201 });
  }

  /** Only documents that Errata wrote as a whole: what was reported is in the variables. */
  #linear({ headers, body = {} }: ReceivedRequest, path: readonly string[]): Response {
    if (headers.get("authorization") !== `Bearer ${this.token}`)
      return graphqlError("AUTHENTICATION_ERROR", 401);
    if (path.join("/") !== "graphql") return refuse(404, "");
    const query = String(body.query);
    const variables = body.variables as Json;
    const input = (variables.input ?? {}) as Json;
    const [, field = ""] = /\{\s*(\w+)\(/.exec(query) ?? [];
    const find = (id: unknown) =>
      this.issues.linear.find((one) => `ENG-${one.number}` === id || one.id === id);
    const show = (issue: FakeIssue) => ({
      identifier: `ENG-${issue.number}`,
      url: `https://linear.app/acme/issue/ENG-${issue.number}`,
      state: { type: issue.isOpen ? "unstarted" : "completed" },
    });
    switch (field) {
      case "teams":
        return data({
          teams: { nodes: variables.key === "ENG" ? [{ id: "t1", name: "Eng" }] : [] },
        });
      case "issueCreate": {
        if (input.teamId !== "t1" || find(input.id) !== undefined) return graphqlError("INVALID");
        const issue = this.#create("linear", input.title, input.description, String(input.id));
        return data({ issueCreate: { success: true, issue: show(issue) } });
      }
      case "issues": {
        const found = find(variables.id);
        return data({ issues: { nodes: found === undefined ? [] : [show(found)] } });
      }
      case "issue": {
        const found = find(variables.id);
        if (found === undefined) return graphqlError("ENTITY_NOT_FOUND");
        const states = [
          { id: "s2", type: "completed", position: 4 },
          { id: "s3", type: "canceled", position: 5 },
          { id: "s1", type: "unstarted", position: 1 },
        ];
        return data({ issue: { ...show(found), team: { states: { nodes: states } } } });
      }
      case "issueUpdate": {
        const found = find(variables.id);
        if (found === undefined) return graphqlError("ENTITY_NOT_FOUND");
        found.isOpen = input.stateId === "s1";
        return data({ issueUpdate: { success: true } });
      }
      case "commentCreate":
        find(input.issueId)?.comments.push({ body: input.body, id: String(input.id) });
        return data({ commentCreate: { success: true } });
      case "comments": {
        const all = this.issues.linear.flatMap((one) => one.comments);
        return data({ comments: { nodes: all.filter(({ id }) => id === variables.id) } });
      }
      default:
        return graphqlError("GRAPHQL_VALIDATION_FAILED", 400);
    }
  }

  #jira({ method, path: whole, headers, body = {} }: ReceivedRequest, path: readonly string[]) {
    const cloud = `Basic ${btoa(`${EMAIL}:${this.token}`)}`;
    const isCloud = path[2] === "3";
    const expected = isCloud ? cloud : `Bearer ${this.token}`;
    if (headers.get("authorization") !== expected) return refuse(401, "Unauthorized");
    const [word, key, last] = path.slice(3);
    const show = (issue: FakeIssue) => ({
      key: `SHOP-${issue.number}`,
      fields: {
        description: issue.body,
        status: { statusCategory: { key: issue.isOpen ? "new" : "done" } },
      },
    });
    const isText = (value: unknown) => (isCloud ? isDocument(value) : typeof value === "string");
    if (word === "project") return Response.json({ name: "The shop" });
    if (word === "search") {
      const jql = new URL(`http://jira${whole}`).searchParams.get("jql") ?? "";
      if (!jql.startsWith('project = "SHOP" AND ') || (isCloud && key !== "jql"))
        return Response.json({ errorMessages: ["bad JQL"] }, { status: 400 });
      return Response.json({ issues: this.issues.jira.toReversed().map(show) });
    }
    if (key === undefined) {
      const fields = body.fields as Json;
      if (!isText(fields.description))
        return Response.json({ errors: { description: "not a document" } }, { status: 400 });
      const issue = this.#create("jira", fields.summary, fields.description);
      return Response.json({ key: `SHOP-${issue.number}` }, { status: 201 });
    }
    const issue = this.#find("jira", key.replace("SHOP-", ""));
    if (issue === undefined)
      return Response.json({ errorMessages: ["Issue does not exist"] }, { status: 404 });
    if (last === undefined) return Response.json(show(issue));
    if (last === "comment" && method === "GET") return Response.json({ comments: issue.comments });
    if (last === "comment") {
      if (!isText(body.body)) return refuse(400, "not a document");
      issue.comments.push({ body: body.body });
      return Response.json({ id: "1" }, { status: 201 });
    }
    const transitions = [
      { id: "11", to: { statusCategory: { key: "indeterminate" } } },
      { id: "21", to: { statusCategory: { key: "new" } } },
      { id: "31", to: { statusCategory: { key: "done" } } },
    ];
    if (method === "GET") return Response.json({ transitions });
    const { id } = body.transition as Json;
    issue.isOpen = id !== "31";
    return new Response(null, { status: 204 });
  }

  #create(kind: KindName, title: unknown, body: unknown, id?: string): FakeIssue {
    const number = this.issues[kind].length + 1;
    const created = { number, title: String(title), body, isOpen: true, comments: [] };
    const issue = id === undefined ? created : { ...created, id };
    this.issues[kind].push(issue);
    return issue;
  }

  #find(kind: KindName, number: string): FakeIssue | undefined {
    return this.issues[kind].find((one) => String(one.number) === number);
  }
}

function refuse(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

function data(value: Json): Response {
  return Response.json({ data: value });
}

function graphqlError(code: string, status = 200): Response {
  const extensions = { code, userPresentableMessage: `refused: ${code}` };
  return Response.json({ errors: [{ message: code, extensions }] }, { status });
}

/** Types of nodes that Errata uses, and where text may be (Atlassian Document Format). */
function isDocument(value: unknown): boolean {
  const { type, version, content } = (value ?? {}) as Json;
  return type === "doc" && version === 1 && Array.isArray(content) && content.every(isNode);
}

function isNode(value: unknown): boolean {
  const {
    type,
    text,
    content = [],
    marks = [],
  } = value as {
    type: string;
    text?: string;
    content?: unknown[];
    marks?: { type: string }[];
  };
  if (type === "text")
    return (
      typeof text === "string" &&
      text !== "" &&
      marks.every((mark) => mark.type === "code" || mark.type === "link")
    );
  return (type === "paragraph" || type === "codeBlock") && content.every(isNode);
}
