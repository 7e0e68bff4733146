// What `npm run deploy` prints about itself; wrangler prints the rest.

import type { LeftNamespace } from "./left-namespace.ts";

/** Printed before wrangler asks anything. */
export const INTRODUCTION =
  "\n  Errata stores its data in your Cloudflare account. The free plan is enough to start: " +
  "src/docs/limits-and-costs.md\n";

const AGAIN = "Then run `npm run deploy` again.";

/** The address and the secrets of a new deployment, each printed once. */
export function formatWelcome({
  origin,
  link,
  serverKey,
  isFirst,
}: {
  origin: string | undefined;
  link: string | undefined;
  serverKey: string | undefined;
  isFirst: boolean;
}): string {
  const parts = [
    link !== undefined && [
      "Sign in (the link works once and expires after a day; every deployment prints a new one)",
      link,
    ],
    serverKey !== undefined &&
      origin !== undefined && [
        "DSN for SDKs on servers (secret, printed only once: keep it out of pages)",
        `https://${serverKey}@${new URL(origin).host}/1`,
      ],
    serverKey !== undefined &&
      origin === undefined && [
        "Server key (secret, printed only once: keep it out of pages)",
        serverKey,
      ],
    origin !== undefined &&
      isFirst && ["A new address can need some minutes until it works everywhere", origin],
  ];
  return parts
    .filter((part) => part !== false)
    .map(([title, value]) => `\n  ${title}\n    ${value}\n`)
    .join("");
}

/** In a log that others may read. */
export function formatWithoutSecrets(origin: string | undefined, needsKey: boolean): string {
  const where = origin === undefined ? "" : `\n  Deployed to ${origin}\n`;
  const key = needsKey
    ? "\n  There is no ERRATA_SERVER_KEY yet: create a server key in /settings, or deploy once from a terminal.\n"
    : "";
  return `${where}${key}
  No sign-in link was created, because others may read this output. To get one, deploy from a
  terminal, or add -- --print-link.
`;
}

export const NO_ORIGIN = `
  Errata is deployed, but it has no address for its pages: no custom domain, workers.dev is disabled
  or failed, and no route has the form host/*. Its source maps were not uploaded. Add an address in
  wrangler.toml (src/docs/self-hosting.md). ${AGAIN}
`;

/** The Worker with this name is another program. */
export function formatForeign(worker: string): string {
  return `
  Nothing was deployed: the account has a Worker called ${worker} that is not Errata.
  Choose another name: npm run deploy -- --name errata-2
`;
}

export const PARTLY_DEPLOYED = `
  Errata is deployed and takes reports, but wrangler failed after the upload (see above). An address
  or the cron trigger may be missing; without it, delayed reports and deleted projects wait. A free
  account has five cron triggers. Remove the cause. ${AGAIN}
`;

export const NOT_DEPLOYED = `
  Nothing was deployed (see wrangler's message above). Remove the cause. ${AGAIN}
`;

/** A first deployment failed, and the KV namespace of its name exists. */
export function formatNamespaceProblem(found: LeftNamespace, worker: string): string {
  if (found.is === "unknown") {
    return `
  Nothing was deployed: a KV namespace with the name that Errata needs exists, and wrangler could not
  read it (${found.why}). Give the token the permission Workers KV Storage: Edit. ${AGAIN}
`;
  }
  return `
  Nothing was deployed: the KV namespace ${found.title} has data of an Errata that was deleted.
  To start without the data, delete it:
    npx wrangler kv namespace delete --namespace-id ${found.id}
  To keep it, choose another name: npm run deploy -- --name ${worker}-2
  ${AGAIN}
`;
}

/** wrangler goes on without it, and fails later with a message about a binding. */
export const NO_KV_PERMISSION = `
  wrangler cannot list the account's KV namespaces. Give the token the permission Workers KV Storage:
  Edit, which the template "Edit Cloudflare Workers" has. ${AGAIN}
`;

/** The maps of Errata itself are not there. */
export function formatMapProblem(problem: string): string {
  return `
  The source maps were not uploaded, so Errata's own errors have minified stacks: ${problem}.
  To upload them, run \`npm run deploy\` again.
`;
}
