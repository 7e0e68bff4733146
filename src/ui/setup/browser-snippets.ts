/** Browser snippets: a script for pages without a build, and a TypeScript module. */
import { type IngestAddress, toMonitoringUrl } from "./integration.ts";

/** For the head of a page, before all other scripts. */
export function createBrowserScript(address: IngestAddress): string {
  return `<script>
  function report(how, thrown) {
    const { name, message, stack, digest } = Object(thrown);
    const type = name ?? typeof thrown;
    const payload = { errata: 1, how, type, message: message ?? String(thrown), stack, digest };
    const body = JSON.stringify({ ...payload, url: location.href, at: Date.now() });
    navigator.sendBeacon("${toMonitoringUrl(address)}", body);
  }
  addEventListener("error", ({ error, message }) => message && report("uncaught", error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => report("rejection", reason));
</script>`;
}

/** The browser script as a TypeScript module. It does nothing on a server. */
export function createBrowserModule(address: IngestAddress): string {
  return `export function report(how: string, thrown: unknown) {
  if (typeof window === "undefined") return;
  const { name, message, stack, digest } = Object(thrown);
  const type = name ?? typeof thrown;
  const payload = { errata: 1, how, type, message: message ?? String(thrown), stack, digest };
  const body = JSON.stringify({ ...payload, url: location.href, at: Date.now() });
  navigator.sendBeacon("${toMonitoringUrl(address)}", body);
}

if (typeof window !== "undefined") {
  addEventListener("error", ({ error, message }) => message && report("uncaught", error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => report("rejection", reason));
}`;
}
