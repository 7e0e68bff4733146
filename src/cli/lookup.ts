/** `errata lookup`: the issues that a text leads to, or what the code in it tells. */
import { type Command, MAX_INPUT_CHARS, TRUST } from "./command.ts";
import { type IssueJson, type IssueTitle, toRow, toTitle } from "./describe-issue.ts";
import { CommandFailure } from "./failure.ts";

/** The answer of `issues.lookUp`. */
interface LookupJson {
  readonly hits: readonly IssueJson[];
  readonly likely?: readonly string[];
  readonly person?: { readonly name: string; readonly reports: number };
  readonly code?: CodeJson;
  readonly otherProjects?: readonly {
    readonly id: string;
    readonly project: string;
    readonly hits: readonly IssueJson[];
  }[];
}

/** A code of which Errata has no report: what the code itself says. */
interface CodeJson {
  readonly owner: string;
  readonly what: string;
  readonly code: string;
  readonly made?: string;
  readonly places: readonly string[];
  readonly command?: string;
  readonly note?: string;
  readonly errors: readonly (IssueTitle & { readonly digest: string; readonly at: string })[];
}

export const lookup: Command = {
  words: ["lookup"],
  usage: "<any text>, or text on standard input",
  summary: "Find the issues that a text leads to: a digest, an id, a URL, or words.",
  ...TRUST,
  async run(call) {
    const isPiped = call.args.length === 0 && !call.shell.stdin.isTTY;
    const text = isPiped ? await call.readInput(MAX_INPUT_CHARS) : call.args.join(" ");
    if (text.trim() === "") throw new CommandFailure("usage", "Expected a text to look up.");
    const json = await call.perform("issues.lookUp", { text: text.trim() });
    const { hits, person, code, likely = [], otherProjects = [] } = JSON.parse(json) as LookupJson;
    if (call.has("json")) call.printJson(json);
    else {
      call.printTable(hits.map(toRow));
      for (const line of code === undefined ? [] : describeCode(code)) call.print(line);
      call.printTable(
        (code?.errors ?? []).map((one) => [one.digest, one.at, toTitle(one)] as const),
      );
      call.printTable(
        otherProjects.flatMap(({ id, hits: others }) =>
          others.map((issue) => [`project ${id}`, ...toRow(issue)] as const),
        ),
      );
    }
    if (person !== undefined)
      call.say(
        `${person.reports} ${person.reports === 1 ? "report" : "reports"} of ${person.name}`,
      );
    if (hits.length > 0 || otherProjects.length > 0) return;
    const hint = likely.length === 0 ? "" : ` It may be ${likely.join(" or ")}.`;
    throw new CommandFailure("not-found", `No issue is known for this text.${hint}`);
  },
};

/** The code in a few lines. The errors of the seconds around it are a table below them. */
function describeCode({ owner, what, code, made, places, command, note, errors }: CodeJson) {
  const where = places.length === 0 ? "" : `, by way of ${places.join(", ")}`;
  return [
    `${owner} ${what}: ${code}`.trim(),
    ...(made === undefined ? [] : [`made ${made}${where}`]),
    ...(note === undefined ? [] : [note]),
    ...(command === undefined ? [] : [`Run: ${command}`]),
    ...(made === undefined ? [] : [`${errors.length} issues had errors in those ten seconds`]),
  ];
}
