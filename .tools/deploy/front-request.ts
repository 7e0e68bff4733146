// The command line of `npm run deploy:front`, and the configuration of wrangler that follows from it.

import { parseArgs } from "node:util";

/** The decoded command line. */
export interface FrontRequest {
  /** The routes of the site, and one for its reports if they do not contain it. */
  readonly routes: readonly string[];
  /** The name of the front's Worker: `errata-front-shop-example`. */
  readonly name: string;
  /** Errata: its URL, or the name of its Worker in the account. */
  readonly errata: { readonly url: string } | { readonly worker: string };
  /** The path of reports on the site. */
  readonly path: string;
  readonly isDryRun: boolean;
  /** The options of every command of wrangler, besides the name. */
  readonly account: readonly string[];
}

const DEFAULT_WORKER = "errata";
const DEFAULT_PATH = "/monitoring";
const MAX_NAME_CHARS = 63;
/** A host, perhaps with a star in front of it, and a path, perhaps with a star behind it. */
const ROUTE = /^(?:https?:\/\/)?(\*?[a-z0-9.-]+\.[a-z0-9-]+)(\/[^*\s]*\*?)$/i;

/** Decodes the arguments after `--`. Throws an error with a sentence for the user. */
export function parseFrontArguments(args: string[]): FrontRequest {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      errata: { type: "string", default: DEFAULT_WORKER },
      name: { type: "string" },
      path: { type: "string", default: DEFAULT_PATH },
      "dry-run": { type: "boolean", default: false },
      profile: { type: "string" },
    },
  });
  if (positionals.length === 0)
    throw new Error(
      "Name the routes of the site, for example: npm run deploy:front -- 'shop.example/*'",
    );
  const wrong = positionals.find((route) => !ROUTE.test(route));
  if (wrong !== undefined)
    throw new Error(
      `"${wrong}" is no route. A route has a host and a path, such as shop.example/*`,
    );
  if (!/^(?:\/[\w.~-]+)+$/.test(values.path))
    throw new Error("--path must be a path such as /monitoring.");
  return {
    routes: coverPath(positionals, values.path),
    name: values.name ?? nameFront(positionals[0] ?? ""),
    errata: parseErrata(values.errata),
    path: values.path,
    isDryRun: values["dry-run"],
    account: values.profile === undefined ? [] : ["--profile", values.profile],
  };
}

function parseErrata(text: string): FrontRequest["errata"] {
  if (/^[a-z0-9][a-z0-9-]*$/i.test(text)) return { worker: text };
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error("--errata must be the URL of Errata, or the name of its Worker.");
  return { url: url.origin };
}

/** `errata-front-shop-example` for `*.shop.example/*`. */
function nameFront(route: string): string {
  const host = ROUTE.exec(route)?.[1] ?? "";
  const words = host.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return ["errata-front", ...words].join("-").slice(0, MAX_NAME_CHARS).replace(/-$/, "");
}

/** The routes, and one for the path of each host whose routes do not contain it. */
function coverPath(routes: readonly string[], path: string): readonly string[] {
  const parts = routes.map((route) => {
    const [, host = "", pattern = ""] = ROUTE.exec(route) ?? [];
    return { host, pattern };
  });
  const hosts = [...new Set(parts.map(({ host }) => host))];
  const missing = hosts.filter(
    (host) =>
      !parts.some(
        (part) =>
          part.host === host &&
          part.pattern.endsWith("*") &&
          path.startsWith(part.pattern.slice(0, -1)),
      ),
  );
  return [...routes, ...missing.map((host) => `${host}${path}*`)];
}

/** The URL on which the front must answer; undefined if no route names one host. */
export function findFrontUrl({ routes, path }: FrontRequest): string | undefined {
  const host = routes
    .map((route) => ROUTE.exec(route)?.[1])
    .find((one) => one && !one.includes("*"));
  return host === undefined ? undefined : `https://${host}${path}/errata.js`;
}

interface FrontConfig {
  readonly main: string;
  readonly compatibilityDate: string;
  /** The Worker of Errata in the account, if it has a service binding. */
  readonly service?: string | undefined;
}

/** The configuration of the front, as the text of `wrangler.json`. */
export function formatFrontConfig(request: FrontRequest, config: FrontConfig): string {
  const { name, routes, path } = request;
  const { main, compatibilityDate, service } = config;
  return JSON.stringify({
    name,
    main,
    no_bundle: true,
    compatibility_date: compatibilityDate,
    routes,
    // A front has no address of its own.
    workers_dev: false,
    preview_urls: false,
    ...(service !== undefined && { services: [{ binding: "ERRATA", service }] }),
    ...(path !== DEFAULT_PATH && { vars: { ERRATA_PATH: path } }),
    // Those of the dashboard stay, such as ERRATA_RELEASE.
    keep_vars: true,
    send_metrics: false,
    observability: { enabled: true },
  });
}
