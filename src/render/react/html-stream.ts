/**
 * Strings in, bytes out: what React writes is collected until React says that this was all for now, and then encoded and sent at once.
 * A flow has the few methods of a Node stream that React's `pipe` uses, and no more.
 */
import { encodeUtf8 } from "./encode-utf8.ts";

/** Who writes into a flow, and who is told what becomes of it. */
export interface HtmlStreamSource {
  /** Begins to write. Called once, when somebody has begun to read. */
  readonly onStart: (flow: HtmlByteStream) => void;
  /** What is sent in place of a piece of what was written, in order. A piece may end anywhere; `isLast` when nothing follows. */
  readonly rewrite: (html: string, isLast: boolean) => string;
  /** The reader has gone. */
  readonly onCancel: (reason: unknown) => void;
  /** Nothing more is sent: it has ended, has broken, or its reader has gone. */
  readonly onEnd: () => void;
}

/**
 * Text is encoded in runs of at least so many UTF-16 units. One character beyond U+00FF makes the engine keep a string in two bytes a
 * unit, which encodes three times as slowly: so only its own run pays for a "…". On a page of 120 rows with one "…", × plain
 * react-dom/server in the same rounds: 0.33 as one string, 0.31 in runs.
 *
 * A surrogate pair in two pieces is one character inside a run and none at its border. React writes such pieces side by side for
 * nothing but two style sheets of which one ends and one begins with half a character.
 */
const CHUNK_CHARS = 2_048;

/** What goes to one reader. */
export class HtmlByteStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #source: HtmlStreamSource;
  readonly #listeners = new Map<string, () => void>();
  /** Null before the first read, and when nothing more is sent. */
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** What was written since the last flush, but for the run that grows. */
  #chunks: string[] = [];
  /** The run that grows: one string, added to. Pieces in an array, joined, cost the whole render a sixth more. */
  #chunk = "";
  /** True while the reader waits. Otherwise `write` asks React to stop, so that nothing piles up. */
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

  /** Adds a piece. False asks to stop, and to go on at "drain". */
  write(html: string): boolean {
    this.#chunk += html;
    if (this.#chunk.length >= CHUNK_CHARS) this.#closeChunk();
    return this.#hasDemand;
  }

  /** Sends what was written. */
  flush(): void {
    this.#enqueue(false);
  }

  /** Sends what is left, and that it was all. */
  end(): void {
    this.#enqueue(true);
    this.#detach()?.close();
  }

  /** Breaks the stream. */
  error(cause: unknown): void {
    this.#detach()?.error(cause);
  }

  /** Listens to "drain", "close" or "error", one listener each; an error is never told, the stream breaks instead. */
  on(event: string, listener: () => void): void {
    this.#listeners.set(event, listener);
  }

  /** Sends a newline at once. False when there is nobody to send it to. */
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
