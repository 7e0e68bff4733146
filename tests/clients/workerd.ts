/** The team's Worker in workerd, as Cloudflare runs it. */
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

/**
 * Starts a Worker that consists of one module and sends its errors to `dsn`, which it finds in the
 * bindings `DSN` and `ERRATA_DSN`.
 */
export async function startWorker(
  contents: string,
  dsn: string,
  compatibilityFlags = ["nodejs_compat"],
): Promise<Miniflare> {
  const workerd = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => undefined,
      workers: [
        {
          name: "stock",
          modules: [{ type: "ESModule", path: "worker.js", contents }],
          compatibilityDate: "2026-10-01",
          compatibilityFlags,
          bindings: { DSN: dsn, ERRATA_DSN: dsn },
        },
      ],
    }),
  );
  await workerd.ready;
  return workerd;
}
