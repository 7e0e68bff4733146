/**
 * The OpenAPI document of `/api/v1`, derived from the operations. The build writes it to the asset
 * `/openapi.json`; the Worker does not need it.
 */
import { API_PATH } from "../../core/accounts/project-path.ts";
import { listPathMembers } from "../../core/operation-facts.ts";
import { TRUST_LEVELS } from "../../core/trust/trust.ts";
import { destinations } from "../../operations/alerts.ts";
import {
  activity,
  decision,
  grouping,
  issueSummary,
  reportSummary,
  timeCounts,
  topValues,
} from "../../operations/issue-output.ts";
import { getScope, type Operation, parseRoute, takesQuery } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/operations.ts";
import { type SchemaNode, toNode } from "../../operations/provenance.ts";
import { release, releaseFacts } from "../../operations/releases.ts";
import { frame, reportOutput, resolvedFrames } from "../../operations/report-output.ts";
import { listedViews } from "../../operations/saved-views.ts";
import { describeReplacedText, hasReportedText } from "../../operations/trust-floor.ts";
import { TRUST_PARAMETER } from "./api-input.ts";
import { createExampleProblem, listApiReasons } from "./api-reasons.ts";
import {
  describe,
  type JsonSchema,
  REPORTED_TEXT,
  toInputMembers,
  toOutputSchema,
  toRef,
} from "./json-schema.ts";

/** Parts of outputs that generated clients have types of. */
const NAMED: ReadonlyMap<SchemaNode, string> = new Map([
  [toNode(issueSummary), "IssueSummary"],
  [toNode(decision), "Decision"],
  [toNode(topValues), "TopValues"],
  [toNode(timeCounts), "TimeCounts"],
  [toNode(grouping), "Grouping"],
  [toNode(activity), "Activity"],
  [toNode(reportSummary), "ReportSummary"],
  [toNode(reportOutput), "Report"],
  [toNode(frame), "Frame"],
  [toNode(resolvedFrames.wrapped), "ResolvedFrames"],
  [toNode(releaseFacts), "ReleaseFacts"],
  [toNode(release), "Release"],
  [toNode(destinations), "AlertDestinations"],
  [toNode(listedViews), "SavedViews"],
]);

const DESCRIPTION = `Everything that the desk of a project reads and changes, as JSON.

The paths are those of the first project; those of another one begin with \`/p/<project>\`. Answers
and failures are JSON, whatever \`Accept\` says. A parameter or a member that an operation does not
have is refused. Times are ISO 8601 in UTC.

**Stability.** Members, parameters and operations are added, never renamed or retyped, and lists of
values may grow: ignore what you do not know. What goes is marked \`deprecated\` a year before, with
the headers \`Deprecation\` and \`Sunset\`. Another shape would be \`/api/v2\`, beside this one.

**Who wrote a text.** \`x-written-by\` says who wrote a text: \`errata\`, a \`member\` of the project, or
whoever sent a report (\`reported\`). Reported text has the level of \`x-trust\`, else that of the
member \`trust\` of the nearest object. A token reads text below \`server\` only if it asks for it with
the parameter \`trust\`.`;

/** The document (OpenAPI 3.1.1). */
export function createOpenApi() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    const { method, path } = parseRoute(operation);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation) };
  }
  const { withheld, quoted } = describeReplacedText();
  const named = [...NAMED].map(([node, name]) => [name, describe(node, NAMED)] as const);
  return {
    openapi: "3.1.1",
    info: {
      title: "Errata",
      version: "1",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [
      { url: API_PATH, description: "The first project" },
      {
        url: `/p/{project}${API_PATH}`,
        description: "Another project",
        variables: { project: { default: "1", description: "The number of the project" } },
      },
    ],
    security: [{ token: [] }],
    tags: [...new Set(OPERATIONS.map(toTag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token: errata_…" },
      },
      headers: HEADERS,
      schemas: {
        ...Object.fromEntries(named),
        ReportedText: REPORTED_TEXT,
        WithheldText: withheld,
        QuotedText: quoted,
        Problem: PROBLEM,
      },
    },
  };
}

function toTag({ name }: Operation): string {
  return name.replace(/\..*/, "");
}

const text: JsonSchema = { type: "string" };
const HEADERS = {
  ETag: { description: "Identifies this answer, for If-None-Match", schema: text },
  Link: { description: "The next and the previous page (RFC 8288)", schema: text },
  RetryAfter: { description: "Seconds to wait", schema: { type: "integer" } },
};

function toHeaderRef(name: keyof typeof HEADERS) {
  return { $ref: `#/components/headers/${name}` };
}

/** RFC 9457. */
const PROBLEM: JsonSchema = {
  type: "object",
  description: "Why an operation was not done (RFC 9457). Nothing that was sent is quoted.",
  required: ["type", "title", "status", "detail", "reason"],
  properties: {
    type: { type: "string", description: "urn:errata:<reason>" },
    title: text,
    status: { type: "integer" },
    detail: { type: "string", description: "A sentence for people" },
    reason: { type: "string", description: "For programs; the list of an operation may grow" },
    fields: {
      type: "object",
      description: "What each invalid member should be, by its name",
      additionalProperties: text,
    },
  },
};

/** Of operations whose answer has reported text. */
const TRUST = {
  name: TRUST_PARAMETER,
  in: "query",
  description:
    "The lowest trust of reported text to read, not below that of the token. Without it: server",
  schema: { type: "string", enum: TRUST_LEVELS, default: "server" },
};

const IDEMPOTENCY_PARAMETER = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same request with the same key is done once",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,128}$" },
};

const CONDITION_PARAMETER = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an answer: 304 if it is still the same",
  schema: text,
};

const LAST_EVENT_PARAMETER = {
  name: "Last-Event-ID",
  in: "header",
  description: "Of a stream (Accept: text/event-stream): the id of the last event that arrived",
  schema: text,
};

function describeOperation(operation: Operation) {
  const { name, summary, role, effect, rate, canUndo, input, output } = operation;
  const inPath = listPathMembers(parseRoute(operation).path);
  const isQuery = takesQuery(operation);
  const members = Object.entries(toInputMembers(input));
  const isParameter = (member: string) => isQuery || inPath.includes(member);
  const inBody = members.filter(([member]) => !isParameter(member));
  const required = inBody.flatMap(([member, { isRequired }]) => (isRequired ? [member] : []));
  const body: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(inBody.map(([member, { schema }]) => [member, schema])),
    required,
    additionalProperties: false,
  };
  const schema = toOutputSchema(toNode(output), NAMED);
  return {
    operationId: name,
    summary,
    tags: [toTag(operation)],
    "x-errata-role": role,
    "x-errata-scope": getScope(operation),
    ...(operation.isForPeople && { "x-errata-people-only": true }),
    "x-errata-effect": effect,
    "x-errata-rate": rate,
    ...(canUndo && { "x-errata-undo": "changes.undo" }),
    parameters: [
      ...members
        .filter(([member]) => isParameter(member))
        .map(
          ([
            member,
            {
              schema: { description, ...rest },
              isRequired,
            },
          ]) => ({
            name: member,
            in: inPath.includes(member) ? "path" : "query",
            ...(isRequired && { required: true }),
            description,
            schema: rest,
          }),
        ),
      ...(hasReportedText(toNode(output)) ? [TRUST] : []),
      ...(isQuery ? [CONDITION_PARAMETER] : []),
      ...(operation.isStream ? [LAST_EVENT_PARAMETER] : []),
      ...(effect === "read" ? [] : [IDEMPOTENCY_PARAMETER]),
    ],
    ...(inBody.length > 0 && {
      requestBody: {
        required: required.length > 0,
        content: { "application/json": { schema: body } },
      },
    }),
    responses: {
      200: {
        description: "Done",
        ...(isQuery && { headers: describeReadHeaders(operation) }),
        content: {
          "application/json": { schema },
          ...(operation.isStream && { "text/event-stream": { schema: text } }),
        },
      },
      ...(isQuery && { 304: { description: "The answer that If-None-Match names" } }),
      ...describeProblems(operation),
    },
  };
}

function describeReadHeaders({ input }: Operation) {
  const isList = Object.hasOwn(input.entries, "from");
  return { ETag: toHeaderRef("ETag"), ...(isList && { Link: toHeaderRef("Link") }) };
}

/** One response for each status, with the reasons that have it. */
function describeProblems(operation: Operation) {
  const problems = listApiReasons(operation).map((reason) => {
    return { reason, response: createExampleProblem(reason) };
  });
  return Object.fromEntries(
    [...Map.groupBy(problems, ({ response }) => response.status)].map(([status, these]) => {
      const reasons = these.map(({ reason }) => reason);
      const canRetry = these.some(({ response }) => response.headers.has("retry-after"));
      const schema = {
        allOf: [toRef("Problem")],
        properties: { reason: { enum: reasons }, status: { const: status } },
      };
      const response = {
        description: reasons.join(", "),
        ...(canRetry && { headers: { "Retry-After": toHeaderRef("RetryAfter") } }),
        content: { "application/problem+json": { schema } },
      };
      return [status, response];
    }),
  );
}
