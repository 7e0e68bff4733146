// What `npm run deploy` prints about itself; wrangler prints the rest.

import type { RecordedData } from "./data-versions.ts";
import type { LeftNamespace } from "./left-namespace.ts";

/** Printed before wrangler asks anything, unless Errata is there already. */
export const INTRODUCTION =
  "\n  Errata stores its data in your Cloudflare account. The free plan is enough to start: " +
  "src/docs/limits-and-costs.md\n";

const AGAIN = "Then run `npm run deploy` again.";

/** The address and the secrets of a new deployment, each printed once. */
export function formatWelcome({
  origin,
  link,
  serverKey,
  isNew,
}: {
  origin: string | undefined;
  link: string | undefined;
  serverKey: string | undefined;
  /** Errata was not there before. */
  isNew: boolean;
}): string {
  const parts: [title: string, value: string][] = [];
  if (link !== undefined)
    parts.push(["Sign in (the link works once, expires after a day, and replaces the last)", link]);
  const secret = "(secret, printed only once: keep it out of pages)";
  if (serverKey !== undefined && origin !== undefined) {
    const dsn = `https://${serverKey}@${new URL(origin).host}/1`;
    parts.push([`DSN for SDKs on servers ${secret}`, dsn]);
  }
  if (serverKey !== undefined && origin === undefined)
    parts.push([`Server key for SDKs on servers ${secret}`, serverKey]);
  if (origin !== undefined && isNew)
    parts.push(["A new address can need some minutes until it works everywhere", origin]);
  return parts.map(([title, value]) => `\n  ${title}\n    ${value}\n`).join("");
}

/** In a log that others may read. */
export function formatWithoutSecrets(origin: string | undefined, needsKey: boolean): string {
  const where = origin === undefined ? "" : `\n  Deployed to ${origin}\n`;
  const key = needsKey
    ? "\n  There is no ERRATA_SERVER_KEY yet: create a server key in /settings.\n"
    : "";
  return `${where}${key}
  No sign-in link was created, because others may read this output; the last one stays valid. To get
  a new one, deploy from a terminal, or run \`npm run deploy -- --print-link\`.
`;
}

/** All triggers are set, and none is an address for pages. */
export const NO_ORIGIN = `
  Errata is deployed, but it has no address for its pages: no custom domain, workers.dev is disabled,
  and no route has the form host/*. Its source maps were not uploaded. Add an address in wrangler.toml
  (src/docs/self-hosting.md). ${AGAIN}
`;

/** wrangler ended before it printed the addresses. */
export const UNKNOWN_ORIGIN = `
  Its address is unknown, because wrangler did not finish. Run \`npm run deploy\` again: it prints a
  link, and uploads the source maps.
`;

/** The Worker with this name is another program. */
export function formatForeign(worker: string): string {
  return `
  Nothing was deployed: the account has a Worker called ${worker} that is not Errata.
  Choose another name: npm run deploy -- --name ${worker}-2
`;
}

/** The release cannot read what a later one stored. */
export function formatLaterData({ release, later }: RecordedData): string {
  const list = later.map(
    ({ object, code, needs }) => `    ${object}: needs version ${needs}, this release has ${code}`,
  );
  return `
  Nothing was deployed: the stored data were written by ${release}, which is later than this release.
${list.join("\n")}
  Deploy ${release} or a later one. To return to this release, restore the data: see
  src/docs/self-hosting.md, "Roll back".
`;
}

/** The command ended before all objects were opened. */
export const DATA_LATER = `
  The rest of the stored data is brought to this version when it is next used: see /status.
`;

export const PARTLY_DEPLOYED = `
  Errata is deployed and takes reports, but wrangler failed after the upload (see above). If it is the
  cron trigger: a free account has five, and without one, delayed reports and deleted projects wait.
  Remove the cause. ${AGAIN}
`;

export const NOT_DEPLOYED = `
  Nothing was deployed (see wrangler's message above). Remove the cause. ${AGAIN}
`;

/** wrangler failed, and the account could not be read afterwards. */
export function formatUnknown(why: string): string {
  return `
  wrangler failed, and it is unknown whether the version was deployed (${why}). Run
  \`npm run deploy\` again. If there is a server key below, it is valid if this version was deployed.
`;
}

/** A first deployment failed, and the KV namespace of its name exists. */
export function formatNamespaceProblem(found: LeftNamespace, worker: string): string {
  switch (found.is) {
    case "unknown":
      return found.isRefused
        ? NO_KV_PERMISSION
        : `
  Nothing was deployed: a KV namespace with the name that Errata needs exists, and wrangler could not
  read it (${found.why}). ${AGAIN}
`;
    case "empty":
      return `
  Nothing was deployed: the KV namespace ${found.title} exists already. Add a line to the binding KV
  in the configuration:
    id = "${found.id}"
  ${AGAIN}
`;
    case "used":
      return `
  Nothing was deployed: the KV namespace ${found.title} has data of an Errata that was deleted.
  To start without the data, delete it:
    npx wrangler kv namespace delete --namespace-id ${found.id}
  To keep it, choose another name: npm run deploy -- --name ${worker}-2
  ${AGAIN}
`;
  }
}

/** wrangler goes on without it, and fails later with a message about a binding. */
export const NO_KV_PERMISSION = `
  wrangler may not list the account's KV namespaces. Give the token the permission Workers KV Storage:
  Edit, which the template "Edit Cloudflare Workers" has. ${AGAIN}
`;

/** The maps of Errata itself are not there. */
export function formatMapProblem(problem: string): string {
  return `
  The source maps were not uploaded, so Errata's own errors have minified stacks:
  ${problem.replace(/\.$/, "")}. To upload them, run \`npm run deploy\` again.
`;
}
