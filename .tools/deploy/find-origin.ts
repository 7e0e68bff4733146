// The address of the deployed Errata, from what wrangler says about the Worker's triggers.

/**
 * The origin where Errata's pages are; undefined if there is none. A custom domain comes first,
 * because workers.dev may be disabled later, then workers.dev, then a route that takes all paths of
 * one host. Any other route gives Errata a part of another site, which would receive the sign-in
 * link. Targets have the form of wrangler's output:
 * `errata.example.com (custom domain)`, `https://errata.team.workers.dev`, `host/* (zone name: …)`.
 */
export function findOrigin(targets: readonly string[]): string | undefined {
  const found = [
    targets.map(findCustomDomain),
    targets.map((target) => /^https:\/\/([\w.-]+\.workers\.dev)$/.exec(target)?.[1]),
    targets.map((target) => /^(?:https?:\/\/)?([^/*\s]+)\/\*(?: \(|$)/.exec(target)?.[1]),
  ];
  const host = found.flat().find((one) => one !== undefined);
  const url = host === undefined ? null : URL.parse(`https://${host}`);
  return url === null ? undefined : url.origin;
}

function findCustomDomain(target: string): string | undefined {
  const host = /^([^/*\s]+) \(custom domain/.exec(target)?.[1];
  return target.includes("production: disabled") ? undefined : host;
}

/** The targets in the text that `wrangler triggers deploy` prints, with two spaces before each. */
export function parsePrintedTargets(stdout: string): string[] {
  return stdout
    .split("\n")
    .map((line) => /^ {2,3}(\S.*)$/.exec(line.trimEnd())?.[1])
    .filter((target) => target !== undefined);
}
