/** Calls a tool: the arguments, the operation, and its output as quotes and as fenced text. */
import { hasRole } from "../../core/accounts/actors.ts";
import { asRecord } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import { joinWords } from "../../core/plain-text.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { isAtLeast, TRUST_LEVELS, type Trust } from "../../core/trust/trust.ts";
import { getMemberType } from "../../operations/inputs.ts";
import type { Call, OperationFailure } from "../../operations/operation.ts";
import { toNode } from "../../operations/provenance.ts";
import { expectNewMarks } from "../alert-marks.ts";
import { describeFailureText } from "../failure-response.ts";
import type { Failure } from "../failures.ts";
import { FENCE_NOTICE, toFencedText } from "./fence.ts";
import { keepMembers } from "./json-schema.ts";
import { type Quoted, quoteValue } from "./quote.ts";
import { listArguments, showsOthers, type Tool } from "./tools.ts";

/** The result of a call, as MCP has it. */
export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Quoted;
  /** The model can correct its arguments, so a failure is a result. */
  readonly isError?: true;
}

/** Why a call with valid arguments is not done. */
type RefusedCall = OperationFailure | Extract<Failure, { readonly reason: "trust-forbidden" }>;

interface Arguments {
  readonly input: Readonly<Record<string, unknown>>;
  readonly floor: Trust;
  readonly maxChars: number;
}

/** Why a tool has no output; the text quotes nothing that was sent. */
interface ToolFailure {
  readonly reason: "bad-arguments" | RefusedCall["reason"];
  readonly text: string;
}

/** The result of a call of a tool. `toLines` are sentences of Errata after the text. Never rejects. */
export async function callTool(
  tool: Tool,
  sent: unknown,
  call: Call,
  toLines?: (output: unknown) => readonly string[],
): Promise<ToolResult> {
  const done = await runTool(tool, sent, call, toLines);
  return done.ok ? done.value : { content: [{ type: "text", text: done.text }], isError: true };
}

/** The same, with the reason of a failure. */
export async function runTool(
  tool: Tool,
  sent: unknown,
  call: Call,
  toLines: (output: unknown) => readonly string[] = () => [],
): Promise<Result<ToolResult, ToolFailure>> {
  // Before its arguments: a caller without the tool need not correct them.
  if (!hasRole(call.caller.role, tool.operation.role)) return toFailure({ reason: "forbidden" });
  const decoded = decodeArguments(tool, sent);
  if (!decoded.ok) return decoded;
  const { input, ...shown } = decoded.value;
  const { lowestTrust = "public" } = call.caller;
  if (!isAtLeast(shown.floor, lowestTrust)) return toFailure({ reason: "trust-forbidden" });
  const done = await tool.operation.perform(input, call);
  if (!done.ok) return toFailure(done);
  if (tool.operation.effect !== "read") expectNewMarks(call);
  return ok(toResult(tool, done.value, { ...shown, lines: toLines(done.value) }));
}

function decodeArguments(tool: Tool, sent: unknown): Result<Arguments, ToolFailure> {
  const given = sent === undefined ? {} : asRecord(sent);
  const names = listArguments(tool);
  const isReading = showsOthers(tool);
  const known = isReading ? [...names, "trust", "max"] : names;
  const invalid = (expected: string) =>
    fail({ reason: "bad-arguments" as const, text: `Expected ${expected}.` });
  if (given === undefined) return invalid("arguments to be an object");
  if (!Object.keys(given).every((name) => known.includes(name)))
    return invalid(`only the arguments ${joinWords(known, "and")}`);
  const { trust = "server", max = limits.mcpResultChars, ...own } = isReading ? given : {};
  const floor = TRUST_LEVELS.find((level) => level === trust);
  if (floor === undefined) return invalid(`trust to be ${joinWords(TRUST_LEVELS, "or")}`);
  const { minMcpResultChars: least, maxMcpResultChars: most } = limits;
  const maxChars = Number.isSafeInteger(max) ? Number(max) : 0;
  if (maxChars < least || maxChars > most)
    return invalid(`max to be a whole number from ${least} to ${most}`);
  const input = { ...tool.defaults, ...(isReading ? own : given) };
  return ok({ input: toTexts(tool, input), floor, maxChars });
}

/** Clients send a code of digits, such as one of Next.js, as a number. */
function toTexts({ operation }: Tool, input: Arguments["input"]): Arguments["input"] {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const isText = getMemberType(operation.input, name) === "string";
      return [name, isText && typeof value === "number" ? `${value}` : value];
    }),
  );
}

function toFailure(failure: RefusedCall) {
  return fail<ToolFailure>({ reason: failure.reason, text: describe(failure) });
}

/** What a failed operation expected. Nothing that was sent is in it. */
function describe(failure: RefusedCall): string {
  if (failure.reason !== "invalid-input") return describeFailureText(failure);
  return Object.entries(failure.fields)
    .map(([name, expected]) => `Expected ${name === "" ? "" : `${name}: `}${expected}.`)
    .join("\n");
}

interface ResultOptions {
  readonly floor: Trust;
  readonly maxChars: number;
  readonly lines?: readonly string[];
}

/** The output of a tool's operation as its result. */
export function toResult(
  { operation, keeps, omits }: Tool,
  output: unknown,
  { floor, maxChars, lines = [] }: ResultOptions,
): ToolResult {
  const top = keepMembers(toNode(operation.output), keeps);
  const { value, cutTexts, cutItems } = quoteValue(
    top,
    output,
    { floor, omits, maxChars: maxChars - RESERVED_CHARS },
    (quoted) => Math.max(JSON.stringify(quoted).length, toFencedText(quoted).length),
  );
  const isCut = cutTexts + cutItems > 0;
  const cut = `Cut to ${maxChars} characters: ${cutTexts} texts are shortened, ${cutItems} items of lists are left out. The argument max shows up to ${limits.maxMcpResultChars} characters.`;
  const fenced = toFencedText(value);
  const notice = fenced.includes("```") ? [FENCE_NOTICE, ""] : [];
  const text = [...notice, fenced, ...lines, ...(isCut ? [cut] : [])].join("\n");
  return { content: [{ type: "text", text }], structuredContent: value };
}

/** For the sentences of Errata around a text. */
const RESERVED_CHARS = 600;
