/**
 * The components that fail for each kind of self-test. The messages contain "self-test", so that
 * they are not mistaken for real errors.
 */

import { type ReactNode, use, useEffect, useState } from "react";
import { Boundary, ServerFailuresContext } from "../failure/boundary.tsx";
import { Notice } from "../failure/notice.tsx";
import type { SelfTestKindName } from "./self-test-kinds.ts";

type RenderSide = "server" | "browser";

/** The promises of the server's kinds; created for each request. */
export interface StagePromises {
  /** Resolves after the shell was sent. */
  readonly later: Promise<void>;
  /** Rejects after the shell was sent. */
  readonly rejects: Promise<never>;
  /** Never resolves or rejects. */
  readonly never: Promise<never>;
}

const HUGE_MESSAGE_CHARS = 1_000_000;

/** The stage on the server. Kinds of the browser render an island. */
export function SelfTestStage({ kind, times }: { kind: SelfTestKindName; times: StagePromises }) {
  switch (kind) {
    case "shell":
    case "failure-page":
      return <ThrowsInShell />;
    case "before-flush":
      return inBoundary(<ThrowsAtOnce />);
    case "after-flush":
      return inBoundary(<ThrowsLate later={times.later} />);
    case "late-rejection":
      return inBoundary(<WaitsFor promise={times.rejects} />);
    case "deadline":
      return (
        <>
          {inBoundary(<WaitsFor promise={times.never} />)}
          {inBoundary(<WaitsFor promise={times.never} />, "second")}
        </>
      );
    case "string":
      return inBoundary(<Throws thrown={() => "self-test: a string was thrown"} />);
    case "null":
      return inBoundary(<Throws thrown={() => null} />);
    case "frozen":
      return inBoundary(<Throws thrown={createFrozenObject} />);
    case "getters":
      return inBoundary(<Throws thrown={createThrowingGetters} />);
    case "huge-message":
      return inBoundary(<Throws thrown={createHugeError} />);
    case "cyclic-cause":
      return inBoundary(<Throws thrown={createCyclicError} />);
    case "fallback":
      return (
        <Boundary name="stage" loading={<ThrowsInFallback />}>
          <ThrowsAtOnce />
        </Boundary>
      );
    default:
      return (
        <Island name="self-test" props={{ kind }}>
          <BrowserStage kind={kind} where="server" />
        </Island>
      );
  }
}

/** The stage of the browser's kinds, rendered on both sides. */
export function BrowserStage({ kind, where }: { kind: string; where: RenderSide }) {
  switch (kind) {
    case "recovered":
      return inBoundary(<FailsOnServer where={where} />);
    case "both":
      return inBoundary(<FailsOnBoth where={where} />);
    case "component":
      return inBoundary(<FailsAfterMount />);
    case "mismatch":
      return <p>This was rendered by the {where}.</p>;
    case "uncaught":
      return <AfterMount act={throwUncaught} />;
    case "rejection":
      return <AfterMount act={rejectUnhandled} />;
    case "chunk":
      return <AfterMount act={loadMissingChunk} />;
    default:
      return null;
  }
}

function inBoundary(children: ReactNode, name = "stage"): ReactNode {
  return (
    <Boundary name={name} loading={<p className="loading">Waiting for the failure…</p>}>
      {children}
    </Boundary>
  );
}

function ThrowsInShell(): ReactNode {
  throw new TypeError("self-test: the shell threw");
}

function ThrowsAtOnce(): ReactNode {
  throw new RangeError("self-test: a boundary threw before the flush");
}

function ThrowsInFallback(): ReactNode {
  throw new Error("self-test: the fallback threw too");
}

function ThrowsLate({ later }: { later: Promise<void> }): ReactNode {
  use(later);
  throw new RangeError("self-test: a boundary threw after the flush");
}

function WaitsFor({ promise }: { promise: Promise<never> }): ReactNode {
  return use(promise);
}

function Throws({ thrown }: { thrown: () => unknown }): ReactNode {
  throw thrown();
}

function createFrozenObject(): unknown {
  return Object.freeze({ name: "FrozenFault", message: "self-test: a frozen object was thrown" });
}

function createThrowingGetters(): unknown {
  const throwError = (): never => {
    throw new Error("self-test: a getter threw");
  };
  const property = { get: throwError, enumerable: true };
  return Object.defineProperties(
    {},
    { name: property, message: property, stack: property, cause: property },
  );
}

function createHugeError(): unknown {
  return new Error(`self-test: a message of 1 MB ${"x".repeat(HUGE_MESSAGE_CHARS)}`);
}

function createCyclicError(): unknown {
  const error = new Error("self-test: an error that caused itself");
  error.cause = error;
  return error;
}

function FailsOnServer({ where }: { where: RenderSide }): ReactNode {
  const shown = use(ServerFailuresContext).get("stage");
  if (where === "server") throw new Error("self-test: only the server failed");
  return (
    <div className="recovered">
      <p>The browser rendered the part that failed on the server. The server showed:</p>
      <Notice isCompact isExample digest={shown?.digest} />
    </div>
  );
}

function FailsOnBoth({ where }: { where: RenderSide }): ReactNode {
  throw new Error(`self-test: both sides failed, this is the ${where}`);
}

function FailsAfterMount(): ReactNode {
  const [failed, setFailed] = useState(false);
  useEffect(() => setFailed(true), []);
  if (failed) throw new Error("self-test: a component threw in the browser");
  return <p>The server rendered this part without an error.</p>;
}

function AfterMount({ act }: { act: () => void }): ReactNode {
  useEffect(act, [act]);
  return <p>The page still works, because the error occurred outside React.</p>;
}

function throwUncaught(): void {
  setTimeout(function throwLater() {
    throw new Error("self-test: an uncaught error");
  });
}

function rejectUnhandled(): void {
  void Promise.reject(new Error("self-test: an unhandled rejection"));
}

function loadMissingChunk(): void {
  const missing = "/assets/self-test-missing-chunk.js";
  void import(/* @vite-ignore */ missing);
}

/** The server markup of an island. `props` are public: they are JSON in an attribute. */
function Island(props: {
  readonly name: string;
  readonly props: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}) {
  return (
    <div data-island={props.name} data-props={JSON.stringify(props.props)}>
      {props.children}
    </div>
  );
}
