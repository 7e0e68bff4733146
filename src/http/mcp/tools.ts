/**
 * The tools of MCP: operations under the names that models read. Their arguments, annotations and
 * structured content derive from the operations. The order never changes.
 */
import { hasRole } from "../../core/accounts/actors.ts";
import type { Role } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { TRUST_LEVELS } from "../../core/trust/trust.ts";
import { compareTwoReleases } from "../../operations/compare-releases.ts";
import { investigateIssue } from "../../operations/investigation.ts";
import {
  commentIssue,
  decideIssue,
  mergeIssues,
  undoChange,
} from "../../operations/issue-changes.ts";
import { getReport, listIssues } from "../../operations/issue-reads.ts";
import { lookUpIssues } from "../../operations/lookup.ts";
import type { Operation } from "../../operations/operation.ts";
import { toNode } from "../../operations/provenance.ts";
import { listReleases } from "../../operations/releases.ts";
import { getSource } from "../../operations/source.ts";
import { hasReportedText } from "../../operations/trust-floor.ts";
import { whoami } from "../../operations/whoami.ts";
import { type JsonSchema, toArguments, toOutputSchema } from "./json-schema.ts";

/** A tool, and how it differs from its operation. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly operation: Operation;
  /** After the summary of the operation. */
  readonly about?: string;
  /** Arguments that it does not have. */
  readonly hides?: readonly string[];
  /** Arguments with another default than in the operation. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The only members of its structured content. */
  readonly keeps?: readonly string[];
  /** Members that it leaves out, wherever they are. */
  readonly omits?: readonly string[];
}

const QUERY_WORDS =
  "A query has filters and words, which must all match: is:open, is:resolved, is:regressed, is:new, is:unassigned, release:1.4, new:1.4, env:production, url:/cart, type:TypeError, trust:server, level:fatal, assigned:name, <tag>:value; a minus excludes: -browser:safari; values with spaces are quoted.";

/** Members of issues that a model has no use for. */
const ISSUE_OMITS = ["recentDays", "publicOrigin", "linkedCount", "networkCount", "blockedUri"];

export const TOOLS: readonly Tool[] = [
  {
    name: "lookup",
    title: "Look up a code or text",
    operation: lookUpIssues,
    hides: ["codes", "missing"],
    about: "Begin here with the code that a user saw.",
  },
  {
    name: "search_issues",
    title: "Search issues",
    operation: listIssues,
    about: QUERY_WORDS,
    defaults: { limit: 10 },
    omits: ["floods", ...ISSUE_OMITS],
  },
  {
    name: "get_investigation",
    title: "Investigate an issue",
    operation: investigateIssue,
    about: "One call has enough to find the code in the repository.",
    omits: ISSUE_OMITS,
  },
  {
    name: "get_report",
    title: "Read a report",
    operation: getReport,
    hides: ["asSent"],
    // Advice has commands of upload tools.
    omits: ["advice", "base64", "grouping"],
  },
  { name: "get_source", title: "Read source code of a frame", operation: getSource },
  { name: "list_releases", title: "List releases", operation: listReleases, omits: ["days"] },
  {
    name: "compare_releases",
    title: "Compare two releases",
    operation: compareTwoReleases,
    omits: ["days", ...ISSUE_OMITS],
  },
  {
    name: "decide_issue",
    title: "Decide about an issue",
    operation: decideIssue,
    about: "The change can be undone for an hour.",
    keeps: ["digest", "state", "decision", "change"],
    omits: ["regressedInRelease"],
  },
  {
    name: "comment_issue",
    title: "Comment on an issue",
    operation: commentIssue,
    keeps: ["digest"],
  },
  {
    name: "merge_issues",
    title: "Merge issues",
    operation: mergeIssues,
    about: "The change can be undone for an hour.",
    keeps: ["digest", "change"],
  },
  { name: "undo", title: "Undo a change", operation: undoChange },
  { name: "whoami", title: "Who am I", operation: whoami },
];

/** The arguments of tools that show text by others. */
const READING_ARGUMENTS = {
  trust: {
    enum: TRUST_LEVELS,
    default: "server",
    description:
      "the lowest trust of reported text to read, not below that of the token; anyone can send public reports, so ask for less only if a person wants it",
  },
  max: {
    type: "integer",
    minimum: limits.minMcpResultChars,
    maximum: limits.maxMcpResultChars,
    default: limits.mcpResultChars,
    description: "the most characters of the result",
  },
} as const;

/** A tool as `tools/list` describes it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** The tools that a role can use. */
export function listTools(role: Role | null): readonly ListedTool[] {
  return TOOLS.filter(({ operation }) => hasRole(role, operation.role)).map(toListed);
}

function toListed(tool: Tool): ListedTool {
  const { name, title, operation, about } = tool;
  const { effect } = operation;
  return {
    name,
    title,
    description: about === undefined ? operation.summary : `${operation.summary} ${about}`,
    inputSchema: describeArguments(tool),
    outputSchema: toOutputSchema(toNode(operation.output), tool),
    annotations: {
      readOnlyHint: effect === "read",
      destructiveHint: effect === "erase",
      idempotentHint: effect !== "add",
      openWorldHint: false,
    },
  };
}

function describeArguments(tool: Tool): JsonSchema {
  const { properties, required } = toArguments(tool.operation.input, tool.hides);
  const own = Object.entries(tool.defaults ?? {}).map(([name, byDefault]) => {
    const argument = properties[name];
    return [name, { ...(typeof argument === "object" ? argument : {}), default: byDefault }];
  });
  return {
    type: "object",
    properties: {
      ...properties,
      ...Object.fromEntries(own),
      ...(showsOthers(tool) ? READING_ARGUMENTS : {}),
    },
    required,
    additionalProperties: false,
  };
}

/** True if a tool can show reported text. */
export function showsOthers({ operation, keeps }: Tool): boolean {
  return keeps === undefined && hasReportedText(toNode(operation.output));
}

/** The names of the arguments. */
export function listArguments({ operation, hides = [] }: Tool): readonly string[] {
  return Object.keys(operation.input.entries).filter((name) => !hides.includes(name));
}
