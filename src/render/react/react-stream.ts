/**
 * Renders React to a string, or to a stream of bytes that is encoded once for each flush. Plain
 * `react-dom/server` encodes every tag, attribute and text of a stream with a call into the
 * runtime; this takes about a third of its CPU and produces the same bytes.
 *
 * React's unmodified build for Bun writes strings to the Node stream methods of `HtmlByteStream`.
 * `tests/worker/render/react/react-stream.test.tsx` compares the two builds. Only this module
 * imports React's server.
 *
 * Without AsyncLocalStorage `preload()` and similar functions work only while React renders, not
 * after an `await`. The same holds for the plain build on workerd. Errata does not call them.
 */
import "./patch-buffer.ts";
import "./patch-scheduling.ts";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server.bun";
import { HtmlByteStream, type HtmlStreamSource } from "./html-stream.ts";
import { collectTasks } from "./patch-scheduling.ts";

type ReactOptions = NonNullable<Parameters<typeof renderToPipeableStream>[1]>;

/** React's options and the callbacks of the stream. `onCancel` is called before React aborts. */
export interface ReactStreamOptions
  extends Omit<ReactOptions, "onShellReady" | "onShellError" | "onAllReady" | "onHeaders">,
    Partial<Pick<HtmlStreamSource, "rewrite" | "onCancel" | "onEnd">> {
  /** Aborts suspended boundaries with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** React's stream. */
export interface ReactStream extends ReadableStream<Uint8Array> {
  /** Resolves when everything is rendered or aborted. */
  readonly allReady: Promise<void>;
  /**
   * Writes a newline, because a Worker detects a disconnected client only when it writes. A newline
   * between two of React's chunks does not change the page. False if the response has not started
   * or has ended.
   */
  readonly probeDemand: () => boolean;
}

/** Resolves when the shell is rendered; rejects if it fails. Writing starts on the first read. */
export async function renderToReadableStream(
  page: ReactNode,
  { signal, rewrite = (html) => html, onCancel, onEnd, ...options }: ReactStreamOptions = {},
): Promise<ReactStream> {
  const shell = Promise.withResolvers<void>();
  const allReady = Promise.withResolvers<void>();
  const rendering = renderToPipeableStream(page, {
    ...options,
    onShellReady: shell.resolve,
    onShellError: shell.reject,
    onAllReady: allReady.resolve,
  });
  const abortRender = () => rendering.abort(signal?.reason);
  if (signal?.aborted) abortRender();
  signal?.addEventListener("abort", abortRender);
  const { stream, probeDemand } = new HtmlByteStream({
    onStart: (stream) => rendering.pipe(stream as unknown as NodeJS.WritableStream),
    rewrite,
    onCancel(reason) {
      onCancel?.(reason);
      rendering.abort(reason);
    },
    onEnd() {
      signal?.removeEventListener("abort", abortRender);
      onEnd?.();
    },
  });
  await shell.promise;
  return Object.assign(stream, { allReady: allReady.promise, probeDemand: probeDemand });
}

/**
 * The markup, with the comments that React puts between texts for hydration, as `react-dom/server`
 * has it. May be called while React renders something else. Throws the error of a component that
 * no boundary catches, and if a component suspends.
 */
export function renderToString(content: ReactNode): string {
  const shellErrors: unknown[] = [];
  let isComplete = false;
  const [rendering, tasks] = collectTasks(() =>
    renderToPipeableStream(content, {
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: () => undefined,
      onShellError: (error) => shellErrors.push(error),
      onAllReady: () => {
        isComplete = true;
      },
    }),
  );
  for (const task of tasks) task();
  if (shellErrors.length > 0) throw shellErrors[0];
  if (!isComplete) {
    rendering.abort();
    throw new Error("A component suspended in a synchronous render");
  }
  let html = "";
  const stream = {
    write: (piece: string) => {
      html += piece;
      return true;
    },
    on: () => undefined,
    end: () => undefined,
  };
  rendering.pipe(stream as unknown as NodeJS.WritableStream);
  return html;
}
