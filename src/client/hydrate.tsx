/**
 * React in the browser: hydrates islands and reports through React's three error callbacks. Loaded only where it is needed.
 */
import { hydrateRoot, type RootOptions } from "react-dom/client";
import {
  ErrorBoundary,
  type ServerFailure,
  ServerFailuresContext,
} from "../ui/failure/boundary.tsx";
import { islands } from "./islands.tsx";
import { captureException } from "./reporter.ts";

/** Hydrates what has arrived. Parts that React has not moved to their places yet (`S:…`) are hydrated when it has. */
export function hydrateIslands(): void {
  for (const root of document.querySelectorAll<HTMLElement>("[data-island]")) {
    const { island, props } = root.dataset;
    const Island = islands[island ?? ""];
    if (Island === undefined || root.closest('[hidden][id^="S:"]')) continue;
    root.removeAttribute("data-island");
    const serverFailures = observeServerFailures(root);
    const tree = (
      <ServerFailuresContext value={serverFailures}>
        <ErrorBoundary name="">
          <Island {...JSON.parse(props ?? "{}")} />
        </ErrorBoundary>
      </ServerFailuresContext>
    );
    hydrateRoot(root, tree, createRootOptions(serverFailures));
  }
}

/** What the server's markup says has failed there. It is read before React throws that markup away. */
function observeServerFailures(root: HTMLElement): ReadonlyMap<string, ServerFailure> {
  const serverFailures = new Map<string, ServerFailure>();
  const read = () => {
    for (const template of root.querySelectorAll<HTMLElement>("template[data-dgst]")) {
      const name = template.closest<HTMLElement>("[data-boundary]")?.dataset.boundary;
      const digest = template.dataset.dgst;
      const notice = template.parentElement?.querySelector<HTMLElement>("[data-report]");
      if (name !== undefined && digest !== undefined) {
        serverFailures.set(name, {
          digest,
          reportId: notice?.dataset.report ?? serverFailures.get(name)?.reportId,
        });
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
  return serverFailures;
}

function createRootOptions(serverFailures: ReadonlyMap<string, ServerFailure>): RootOptions {
  const serverFailed = () => [...serverFailures.values()][0];
  return {
    onRecoverableError(error, { componentStack }) {
      const digest = getDigest(error);
      const failure = [...serverFailures.values()].find((one) => one.digest === digest);
      const how = digest === undefined ? "mismatch" : "recovered";
      captureException(how, error, { componentStack, digest, reportId: failure?.reportId });
    },
    // React tells these two nothing of a digest: where the server failed too, it is the one in the markup.
    onCaughtError(error, { componentStack }) {
      const failure = serverFailed();
      captureException("caught", error, {
        componentStack,
        digest: failure?.digest,
        reportId: failure?.reportId,
      });
    },
    onUncaughtError(error, { componentStack }) {
      captureException("caught", error, { componentStack });
    },
  };
}

function getDigest(error: unknown): string | undefined {
  const digest = (error as { digest?: unknown } | null)?.digest;
  return typeof digest === "string" ? digest : undefined;
}
