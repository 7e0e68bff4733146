/** `errata policy try`: what a content security policy would have blocked. */
import { readFile } from "node:fs/promises";
import { type Command, type CommandCall, TRUST } from "./command.ts";
import { readText } from "./describe-issue.ts";
import { CommandFailure } from "./failure.ts";

/** The server accepts less, and says how much. */
const MAX_POLICY_CHARS = 32_000;

/** The answer of `policies.try`. */
interface TrialJson {
  readonly counts: Readonly<Record<string, { readonly violationCount: number }>>;
  readonly blockedOwnCount: number;
  readonly violations: readonly {
    readonly digest: string;
    readonly directive: string;
    readonly blockedUri: string;
    readonly reportCount: number;
    readonly isOwn?: true;
    readonly verdict: string;
  }[];
  readonly warnings: readonly { readonly problem: string; readonly word: string }[];
}

export const tryPolicy: Command = {
  words: ["policy", "try"],
  usage: "<file>, or - for standard input",
  summary: "Say what a content security policy would have blocked in the stored violations.",
  ...TRUST,
  async run(call) {
    const json = await call.perform("policies.try", { policy: await readPolicy(call) });
    const { counts, blockedOwnCount, violations, warnings } = JSON.parse(json) as TrialJson;
    if (call.has("json")) call.printJson(json);
    else
      call.printTable(
        violations
          .filter(({ verdict }) => verdict !== "allowed")
          .map((one) => [
            one.verdict,
            one.digest,
            `${one.reportCount}`,
            one.isOwn ? "own" : "",
            `${readText(one.directive)} ${readText(one.blockedUri)}`,
          ]),
      );
    for (const { problem, word } of warnings) call.say(`Warning: ${problem}: ${word}`);
    const [blocked = 0, undecided = 0, allowed = 0] = ["blocked", "undecided", "allowed"].map(
      (verdict) => counts[verdict]?.violationCount,
    );
    call.say(`${blocked} blocked, ${undecided} undecided, ${allowed} allowed`);
    if (blockedOwnCount === 0) return;
    const what = blockedOwnCount === 1 ? "1 violation" : `${blockedOwnCount} violations`;
    throw new CommandFailure("blocked", `The policy blocks resources of the site: ${what}.`);
  },
};

async function readPolicy(call: CommandCall): Promise<string> {
  const [file, ...others] = call.args;
  if (file === undefined || others.length > 0)
    throw new CommandFailure("usage", "Expected a file with a policy, or - for standard input.");
  if (file === "-") return call.readInput(MAX_POLICY_CHARS);
  try {
    const text = await readFile(file, "utf8");
    // A byte order mark, as editors on Windows write it.
    return text.replace(/^\uFEFF/, "").slice(0, MAX_POLICY_CHARS);
  } catch {
    throw new CommandFailure("usage", `${file} cannot be read.`);
  }
}
