/**
 * Collects the strings that React writes, and encodes and sends them on each flush. Implements only
 * the methods of a Node stream that React's `pipe` uses.
 */
import { encodeUtf8 } from "./encode-utf8.ts";

/** The callbacks of a stream. */
export interface HtmlStreamSource {
  /** Starts writing. Called once, on the first read. */
  readonly onStart: (flow: HtmlByteStream) => void;
  /** Rewrites each chunk, in order. Chunks may end anywhere; `isLast` for the last one. */
  readonly rewrite: (html: string, isLast: boolean) => string;
  /** Called if the reader cancels. */
  readonly onCancel: (reason: unknown) => void;
  /** Called when the stream has ended, failed or was cancelled. */
  readonly onEnd: () => void;
}

/**
 * The minimum UTF-16 units of a chunk. One character above U+00FF makes the engine store a string
 * with two bytes for each unit, which encodes three times as slowly, so chunks confine its cost. On
 * a page of 120 rows with one "…", × plain react-dom/server: 0.33 as one string, 0.31 in chunks.
 *
 * A surrogate pair that React writes in two strings is lost at the border of two chunks. React does
 * so only for two style sheets of which one ends and the next begins with half a character.
 */
const CHUNK_CHARS = 2_048;

/** A stream of HTML for one reader. */
export class HtmlByteStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #source: HtmlStreamSource;
  readonly #listeners = new Map<string, () => void>();
  /** Null before the first read and after the end. */
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** The full chunks since the last flush. */
  #chunks: string[] = [];
  /**
   * The current chunk. Appending to a string is faster than joining an array (a sixth of a render).
   */
  #chunk = "";
  /** True while the reader waits. Otherwise `write` asks React to pause. */
  #hasDemand = false;

  constructor(source: HtmlStreamSource) {
    this.#source = source;
    this.stream = new ReadableStream(
      {
        pull: (controller) => this.#pull(controller),
        cancel: (reason) => this.#cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** Adds HTML. False asks React to pause until "drain". */
  write(html: string): boolean {
    this.#chunk += html;
    if (this.#chunk.length >= CHUNK_CHARS) this.#closeChunk();
    return this.#hasDemand;
  }

  /** Sends the written HTML. */
  flush(): void {
    this.#enqueue(false);
  }

  /** Sends the rest and closes the stream. */
  end(): void {
    this.#enqueue(true);
    this.#detach()?.close();
  }

  /** Fails the stream. */
  error(cause: unknown): void {
    this.#detach()?.error(cause);
  }

  /** Adds the listener of "drain", "close" or "error"; "error" is never emitted. */
  on(event: string, listener: () => void): void {
    this.#listeners.set(event, listener);
  }

  /** Sends a newline at once. False if there is no reader. */
  readonly probeDemand = (): boolean => {
    this.#controller?.enqueue(encodeUtf8(["\n"]));
    return this.#controller !== null;
  };

  #pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#hasDemand = true;
    if (this.#controller === null) {
      this.#controller = controller;
      this.#source.onStart(this);
    } else {
      this.#listeners.get("drain")?.();
    }
  }

  #enqueue(isLast: boolean): void {
    this.#closeChunk();
    const chunks = this.#chunks;
    this.#chunks = [];
    const lastIndex = chunks.length - 1;
    const parts = chunks.map((chunk, index) => {
      return this.#source.rewrite(chunk, isLast && index === lastIndex);
    });
    if (this.#controller === null || parts.every((piece) => piece === "")) return;
    this.#hasDemand = false;
    this.#controller.enqueue(encodeUtf8(parts));
  }

  #closeChunk(): void {
    this.#chunks.push(this.#chunk);
    this.#chunk = "";
  }

  #cancel(reason: unknown): void {
    this.#source.onCancel(reason);
    this.#detach();
    this.#listeners.get("close")?.();
  }

  #detach(): ReadableStreamDefaultController<Uint8Array> | null {
    const controller = this.#controller;
    this.#controller = null;
    this.#source.onEnd();
    return controller;
  }
}
