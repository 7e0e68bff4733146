/** The DSN of a server: where an adapter sends its reports, in the form of Sentry's SDKs. */

/** The parts of `https://errata_server_…@errata.example/1`. */
export interface Dsn {
  /** `https://errata.example`. */
  readonly origin: string;
  /** `https://errata.example/monitoring?sentry_key=errata_server_…`. */
  readonly ingestUrl: string;
  readonly key: string;
  readonly project: string;
}

/** The parts of a DSN; undefined for any other text. */
export function parseDsn(text: string | undefined): Dsn | undefined {
  const [, scheme, key = "", host, project = ""] =
    /^(https?:\/\/)([\w-]+)@([\w.:[\]-]+)\/([\w-]+)\/?$/.exec(text?.trim() ?? "") ?? [];
  if (scheme === undefined) return undefined;
  const origin = `${scheme}${host}`;
  return { origin, key, project, ingestUrl: `${origin}/monitoring?sentry_key=${key}` };
}
