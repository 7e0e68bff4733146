/**
 * A page of the shop that React renders on the server and hydrates in the browser, where it reports
 * to Errata. Each kind fails in another way.
 */
import { Component, type ReactNode, Suspense } from "react";
import { hydrateRoot } from "react-dom/client";
import {
  onCaughtError,
  onRecoverableError,
  onUncaughtError,
} from "../../../src/adapters/browser.ts";

/** Where a page fails: a kind of `FAILURES`. */
export type FailingKind = keyof typeof FAILURES;

const isServer = () => typeof document === "undefined";

function failOn(side: "server" | "browser" | "both", message: string): void {
  const isHere = side === "both" || (side === "server") === isServer();
  if (isHere) throw new Error(`${message} on the ${isServer() ? "server" : "browser"}`);
}

function Cart({ side }: { side: "server" | "browser" | "both" }): ReactNode {
  failOn(side, "no cart");
  return <p>The cart</p>;
}

class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <p>The notice</p> : this.props.children;
  }
}

const FAILURES = {
  mismatch: () => <p>{isServer() ? "server" : "browser"}</p>,
  "server alone": () => (
    <Suspense fallback={<p>Waiting</p>}>
      <Cart side="server" />
    </Suspense>
  ),
  "both sides": () => (
    <Boundary>
      <Suspense fallback={<p>Waiting</p>}>
        <Cart side="both" />
      </Suspense>
    </Boundary>
  ),
  "browser, in a boundary": () => (
    <Boundary>
      <Cart side="browser" />
    </Boundary>
  ),
  "browser, in no boundary": () => <Cart side="browser" />,
} as const;

/** The page of a kind, which is the same on both sides. */
export function HydratedShop({ kind }: { kind: FailingKind }): ReactNode {
  const Failure = FAILURES[kind];
  return <Failure />;
}

/** Hydrates the page in `root`. */
export function hydrateShop(root: Element, kind: FailingKind): void {
  hydrateRoot(root, <HydratedShop kind={kind} />, {
    onCaughtError,
    onUncaughtError,
    onRecoverableError,
  });
}
