/** The reports that an adapter sends, in a test of its module. */

import { configureErrata } from "#src/adapters/server.ts";

const DSN = `https://errata_server_${"0".repeat(32)}@errata.example/1`;

/** A report as it is sent. */
interface SentReport {
  readonly digest: string;
  readonly [member: string]: unknown;
}

/**
 * Configures the instance of the application. Returns a function that resolves to all reports that
 * it was given.
 */
export function collectReports(): () => Promise<readonly SentReport[]> {
  const sent: SentReport[] = [];
  const errata = configureErrata({
    dsn: DSN,
    fetch: async (_url, init) => {
      sent.push(...JSON.parse(String(init?.body)).reports);
      return new Response("{}");
    },
  });
  return async () => {
    await errata.flush();
    return sent;
  };
}
