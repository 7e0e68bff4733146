/**
 * React's HTML as a stream of bytes, encoded once a flush: the bytes of plain `react-dom/server`, which encodes every tag, attribute
 * and text by itself, a call into the runtime each. A page takes about a third of that build's CPU.
 *
 * React's own build for Bun, unmodified, writes strings, into whatever has the methods of a Node stream that its `pipe` uses: a
 * `Flow`. `tests/worker/react-stream.test.tsx` compares the two builds. This module alone imports React's server; with plain
 * `react-dom/server` in its place pages are the same, but for the notices.
 *
 * The build has no AsyncLocalStorage, and the plain one finds none on workerd: `preload()` and the like reach the page when they are
 * called while React renders, not from behind an `await`. Nothing here calls them.
 */
import "./patch-buffer.ts";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server.bun";
import { HtmlByteStream, type HtmlStreamSource } from "./html-stream.ts";

export { renderToStaticMarkup, renderToString } from "react-dom/server.bun";

type ReactOptions = NonNullable<Parameters<typeof renderToPipeableStream>[1]>;

/** React's options, and what else may be done to its stream. Who is told that the reader has gone is told before React. */
export interface ReactStreamOptions
  extends Omit<ReactOptions, "onShellReady" | "onShellError" | "onAllReady" | "onHeaders">,
    Partial<Pick<HtmlStreamSource, "rewrite" | "onCancel" | "onEnd">> {
  /** Gives up what still waits, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** React's stream. */
export interface ReactStream extends ReadableStream<Uint8Array> {
  /** Resolves when everything is rendered or given up. */
  readonly allReady: Promise<void>;
  /**
   * Asks whether anybody still reads: a Worker learns that its client has gone when it next writes. A newline between two of React's
   * chunks changes nothing on the page. False when there is nobody to write to: the response has not begun, or has ended.
   */
  readonly probeDemand: () => boolean;
}

/** The stream, when the shell is rendered; rejects when the shell fails. Nothing is written before somebody reads. */
export async function renderToReadableStream(
  page: ReactNode,
  { signal, rewrite = identity, onCancel, onEnd, ...options }: ReactStreamOptions = {},
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
    onStart: (flow) => rendering.pipe(flow as unknown as NodeJS.WritableStream),
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

function identity(html: string): string {
  return html;
}
