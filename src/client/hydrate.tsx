/** Hydrates islands and reports React's errors. Loaded only by pages with islands. */

import type { ComponentType } from "react";
import { hydrateRoot, type RootOptions } from "react-dom/client";
import {
  ErrorBoundary,
  type ServerFailure,
  ServerFailuresContext,
} from "../ui/failure/boundary.tsx";
import { BrowserStage } from "../ui/setup/self-test-stage.tsx";
import { capture } from "./reporter.ts";

/**
 * Hydrates new islands, except late parts that React has not moved to their boundary yet (`S:…`).
 */
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

/** The failures in the server's markup, read before React discards it. */
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
  // A boundary that fails after the flush gets its digest before React renders it again.
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
      capture(how, error, { componentStack, digest, reportId: failure?.reportId });
    },
    // These callbacks get no digest. If the server failed too, the markup has it.
    onCaughtError(error, { componentStack }) {
      const failure = serverFailed();
      capture("caught", error, {
        componentStack,
        digest: failure?.digest,
        reportId: failure?.reportId,
      });
    },
    onUncaughtError(error, { componentStack }) {
      capture("caught", error, { componentStack });
    },
  };
}

function getDigest(error: unknown): string | undefined {
  const digest = (error as { digest?: unknown } | null)?.digest;
  return typeof digest === "string" ? digest : undefined;
}

/** The components by the name in `data-island`. */
const islands: Readonly<Record<string, ComponentType<{ kind: string }>>> = {
  "self-test": function SelfTestInBrowser({ kind }) {
    return <BrowserStage kind={kind} where="browser" />;
  },
};
