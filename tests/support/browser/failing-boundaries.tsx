/**
 * A page whose boundaries of `errata/react` fail in the browser, and report what they catch. The
 * module is the global `failing` of the pages that load it.
 */
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Boundary, Notice } from "../../../src/adapters/react.tsx";

export { startErrata } from "../../../src/adapters/browser.ts";

function Fails({ error }: { error: unknown }): ReactNode {
  throw error;
}

/** Renders a notice for each error, without a boundary that reports it. */
export function showNotices(errors: readonly unknown[]): void {
  show(errors.map((error) => <Notice key={String(error)} error={error} />));
}

/** Renders a boundary for each error, each of which shows a notice. */
export function showFailures(errors: readonly unknown[]): void {
  const boundaries = errors.map((error, place) => (
    <Boundary key={`${place} ${String(error)}`}>
      <Fails error={error} />
    </Boundary>
  ));
  show(boundaries);
}

function show(children: ReactNode): void {
  root ??= createRoot(document.body.appendChild(document.createElement("main")));
  root.render(children);
}

let root: ReturnType<typeof createRoot> | undefined;
