/** The few lines that report what fails in a browser, for pages without a build and as a module. */
import { type IngestAddress, toMonitoringUrl } from "./integration.ts";

/** For the head of a page, before every other script. */
export function createBrowserScript(address: IngestAddress): string {
  return `<script>
  function tell(how, thrown) {
    const { name, message, stack, digest } = Object(thrown);
    const type = name ?? typeof thrown;
    const report = { errata: 1, how, type, message: message ?? String(thrown), stack, digest };
    const body = JSON.stringify({ ...report, url: location.href, at: Date.now() });
    navigator.sendBeacon("${toMonitoringUrl(address)}", body);
  }
  addEventListener("error", ({ error, message }) => message && tell("uncaught", error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => tell("rejection", reason));
</script>`;
}

/** The same as a module of TypeScript that a server may load too. */
export function createBrowserModule(address: IngestAddress): string {
  return `export function tell(how: string, thrown: unknown) {
  if (typeof window === "undefined") return;
  const { name, message, stack, digest } = Object(thrown);
  const type = name ?? typeof thrown;
  const report = { errata: 1, how, type, message: message ?? String(thrown), stack, digest };
  const body = JSON.stringify({ ...report, url: location.href, at: Date.now() });
  navigator.sendBeacon("${toMonitoringUrl(address)}", body);
}

if (typeof window !== "undefined") {
  addEventListener("error", ({ error, message }) => message && tell("uncaught", error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => tell("rejection", reason));
}`;
}
