// What `npm run deploy:front` prints; wrangler prints the rest.

import type { FrontRequest } from "./front-request.ts";

const GUIDE = "src/docs/front.md";

/** Asked in a terminal. */
export const ASK_DSN = `
  Paste the DSN for servers of your project, which \`npm run deploy\` has printed once. A new key is
  made in /settings of Errata. It becomes a secret of the front's Worker.
  DSN: `;

/** There is no terminal to ask in. */
export const NO_DSN = `
  The front needs the DSN for servers of your project: set the variable ERRATA_DSN to
  https://errata_server_…@errata.example/1 for this command. It becomes a secret of the front's
  Worker, and is not needed again.
`;

export const WRONG_DSN = `
  A DSN for servers looks like https://errata_server_…@errata.example/1
`;

export const REFUSED_DSN = `
  Nothing was deployed: Errata does not accept the key of this DSN. It may have been revoked.
`;

export function formatOtherErrata(dsnOrigin: string, url: string): string {
  return `
  Nothing was deployed: the DSN is that of ${dsnOrigin}, and --errata names ${url}.
`;
}

/** The Worker with this name is another program. */
export function formatForeignFront({ name }: FrontRequest): string {
  return `
  Nothing was deployed: the account has a Worker called ${name} that is no front of Errata.
  Choose another name with --name.
`;
}

/** The account could not be read. */
export function formatUnknownAccount(why: string): string {
  return `
  Nothing was deployed: the Workers of the account could not be read (${why}). Sign in with
  \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN. With several accounts, set CLOUDFLARE_ACCOUNT_ID.
`;
}

/** Where the reports go. */
export function formatWay(errata: string, isBound: boolean): string {
  return isBound
    ? `  Reports go to the Worker ${errata} of this account, by a service binding.`
    : `  Reports go to ${errata}. All visitors are one network for it: ${GUIDE}, "Limits".`;
}

export function formatDeployedFront(request: FrontRequest, isServed: boolean | undefined): string {
  const { routes, name } = request;
  const state = {
    true: "It answers.",
    false: `It does not answer yet. A route needs a DNS record that Cloudflare proxies, and can take a
  minute. Open the site, and look for data-errata in the source of a page.`,
    undefined: "Open the site, and look for data-errata in the source of a page.",
  }[`${isServed}`];
  return `
  The front is deployed to ${routes.join(", ")}. ${state}

  Free plan: in the dashboard, set each route to "Fail open", so that the site works when the
  account's requests of the day are used up.
  To remove it:
    npx wrangler delete --name ${name}
`;
}

/** wrangler failed. */
export const FRONT_NOT_DEPLOYED = `
  The front is not deployed (see wrangler's message above). If another Worker has the route already,
  put the front into that Worker: ${GUIDE}, "A site that is a Worker".
`;
