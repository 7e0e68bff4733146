/**
 * React in the browser: hydrates islands and reports through React's three error callbacks. Loaded only where it is needed.
 */
import { hydrateRoot, type RootOptions } from "react-dom/client";
import { Catch, type ShownFailure, ShownFailures } from "../ui/boundary.tsx";
import { islands } from "./islands.tsx";
import { report } from "./reporter.ts";

/** Hydrates what has arrived. Parts that React has not moved to their places yet (`S:…`) are hydrated when it has. */
export function hydrateIslands(): void {
  for (const root of document.querySelectorAll<HTMLElement>("[data-island]")) {
    const { island, props } = root.dataset;
    const Island = islands[island ?? ""];
    if (Island === undefined || root.closest('[hidden][id^="S:"]')) continue;
    root.removeAttribute("data-island");
    const shown = shownFailures(root);
    const tree = (
      <ShownFailures value={shown}>
        <Catch name="">
          <Island {...JSON.parse(props ?? "{}")} />
        </Catch>
      </ShownFailures>
    );
    hydrateRoot(root, tree, callbacks(shown));
  }
}

/** What the server's markup says has failed there. It is read before React throws that markup away. */
function shownFailures(root: HTMLElement): ReadonlyMap<string, ShownFailure> {
  const shown = new Map<string, ShownFailure>();
  const read = () => {
    for (const template of root.querySelectorAll<HTMLElement>("template[data-dgst]")) {
      const name = template.closest<HTMLElement>("[data-boundary]")?.dataset.boundary;
      const digest = template.dataset.dgst;
      const notice = template.parentElement?.querySelector<HTMLElement>("[data-report]");
      if (name !== undefined && digest !== undefined) {
        shown.set(name, { digest, reportId: notice?.dataset.report ?? shown.get(name)?.reportId });
      }
    }
  };
  read();
  // A boundary that fails after the flush gets its digest later, but before React renders it anew.
  new MutationObserver(read).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ["data-dgst"],
  });
  return shown;
}

function callbacks(shown: ReadonlyMap<string, ShownFailure>): RootOptions {
  const serverFailed = () => [...shown.values()][0];
  return {
    onRecoverableError(error, { componentStack }) {
      const digest = digestOf(error);
      const failure = [...shown.values()].find((one) => one.digest === digest);
      const how = digest === undefined ? "mismatch" : "recovered";
      report(how, error, { componentStack, digest, report: failure?.reportId });
    },
    // React tells these two nothing of a digest: where the server failed too, it is the one in the markup.
    onCaughtError(error, { componentStack }) {
      const failure = serverFailed();
      report("caught", error, {
        componentStack,
        digest: failure?.digest,
        report: failure?.reportId,
      });
    },
    onUncaughtError(error, { componentStack }) {
      report("caught", error, { componentStack });
    },
  };
}

function digestOf(error: unknown): string | undefined {
  const digest = (error as { digest?: unknown } | null)?.digest;
  return typeof digest === "string" ? digest : undefined;
}
