/** `errata completion`: a script that completes the words of commands in a shell. */
import { CommandFailure } from "./failure.ts";

/** A command: its words, and its options without `--`. */
export interface CompletedCommand {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

/** The script for `bash`, `zsh` or `fish`. Nothing in it comes from reports. */
export function createCompletion(shell: string, commands: readonly CompletedCommand[]): string {
  const first = [...new Set(commands.map(({ words: [word = ""] }) => word))];
  const second = first.flatMap((word) => {
    const next = commands.flatMap(({ words: [one, two] }) => (one === word && two ? [two] : []));
    return next.length === 0 ? [] : [{ word, next: [...new Set(next)] }];
  });
  const options = [...new Set(commands.flatMap((command) => command.options))];
  const flags = options.map((name) => `--${name}`).join(" ");
  const cases = second.map(({ word, next }) => `    ${word}) words="${next.join(" ")}" ;;`);
  const bash = `_errata() {
  local words=""
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${first.join(" ")}"; fi
  case "\${COMP_WORDS[COMP_CWORD]}" in
    -*) words="${flags}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _errata errata
`;
  switch (shell) {
    case "bash":
      return bash;
    case "zsh":
      return `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
    case "fish":
      return [
        "complete -c errata -f",
        `complete -c errata -n __fish_use_subcommand -a "${first.join(" ")}"`,
        ...second.map(
          ({ word, next }) =>
            `complete -c errata -n "__fish_seen_subcommand_from ${word}" -a "${next.join(" ")}"`,
        ),
        ...options.map((name) => `complete -c errata -l ${name}`),
        "",
      ].join("\n");
    default:
      throw new CommandFailure("usage", "Expected bash, zsh or fish.");
  }
}
