/** Each operation as a command: its path members are arguments, and the others are options. */
import { listPathMembers, type MemberFacts, type OperationFacts } from "../core/operation-facts.ts";
import { type Command, type CommandCall, type Options, TRUST } from "./command.ts";
import { CommandFailure } from "./failure.ts";
import { createRequest, parseMember, toOption, toWords } from "./operation-table.ts";

/** The commands of a table of operations. */
export function createOperationCommands(operations: readonly OperationFacts[]): readonly Command[] {
  return operations.map((operation) => {
    const inPath = listPathMembers(operation.path);
    const others = operation.members.filter(({ name }) => !inPath.includes(name));
    const trust = operation.hasReports ? TRUST : undefined;
    return {
      words: toWords(operation),
      usage: [
        ...inPath.map((name) => `<${toOption(name)}>`),
        ...others.filter(({ isRequired }) => isRequired).map(({ name }) => `--${toOption(name)} …`),
      ].join(" "),
      summary: operation.summary,
      options: {
        ...Object.fromEntries(others.map((member) => [toOption(member.name), toConfig(member)])),
        ...trust?.options,
      },
      about: {
        ...Object.fromEntries(others.map(({ name, about }) => [toOption(name), about])),
        ...trust?.about,
      },
      run: async (call) => call.printJson(await call.call(toRequest(operation, call))),
    };
  });
}

/** `--in-next-release` needs no value. */
function toConfig({ type }: MemberFacts): Options[string] {
  return { type: type === "boolean" ? "boolean" : "string" };
}

function toRequest(operation: OperationFacts, call: CommandCall) {
  const inPath = listPathMembers(operation.path);
  if (call.args.length !== inPath.length) {
    const wanted = inPath.map((name) => `<${toOption(name)}>`).join(" ") || "no arguments";
    throw new CommandFailure("usage", `Expected ${wanted}.`);
  }
  const input: Record<string, unknown> = {};
  for (const [at, name] of inPath.entries()) input[name] = call.args[at];
  for (const member of operation.members) {
    if (inPath.includes(member.name)) continue;
    const option = toOption(member.name);
    const text = call.has(option) ? "true" : call.get(option);
    if (text !== undefined) input[member.name] = parseMember(member, text);
    else if (member.isRequired)
      throw new CommandFailure("usage", `--${option}: expected ${member.about}.`);
  }
  return createRequest(operation, input);
}
