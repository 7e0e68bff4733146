/**
 * The first bytes of a body, read in this Worker, and the rest, which the runtime sends without a
 * script for each chunk.
 */

/** As streams give them. */
type Bytes = Uint8Array<ArrayBuffer>;

/** A body of which the first bytes were read. */
export interface HeldBody {
  /** What was read. */
  readonly bytes: Bytes;
  /** There is nothing else. */
  readonly isEnd: boolean;
  /** The rest. It belongs to the reader if a read is pending, else to nobody. */
  readonly rest: ReadableStream<Bytes>;
  readonly reader: Pick<ReadableStreamDefaultReader, "cancel" | "releaseLock">;
  /** A read that has not ended in time. */
  readonly pending?: Promise<Chunk> | undefined;
  /** The runtime made the stream, not a script. */
  readonly isNative: boolean;
  /** Called if the rest is not sent to its end. */
  readonly onBroken?: (() => void) | undefined;
}

interface Chunk {
  readonly done: boolean;
  readonly value?: Bytes | undefined;
}

/** When to stop reading. */
export interface HoldOptions {
  /** True if no further bytes are needed. */
  readonly isEnough: (bytes: Bytes) => boolean;
  /** Most bytes of one read. */
  readonly chunkBytes: number;
  /** The wait for more, once there are bytes. */
  readonly maxWaitMs: number;
}

/**
 * Reads the first bytes. Waits for the first ones however long it takes. Never rejects: a read that
 * fails is left pending, and ends the body that continues this one.
 */
export async function holdBody(
  body: ReadableStream<Bytes>,
  { isEnough, chunkBytes, maxWaitMs }: HoldOptions,
): Promise<HeldBody> {
  const { read, ...opened } = openReader(body, chunkBytes);
  const wait = createWait(maxWaitMs);
  let bytes = new Uint8Array();
  try {
    for (;;) {
      const reading = read();
      const held = { ...opened, bytes, isEnd: false, rest: body };
      const chunk = await (bytes.length === 0 ? reading : Promise.race([reading, wait.start()]))
        // What has arrived is sent, and then the failure.
        .catch(() => undefined);
      if (chunk === undefined) return { ...held, pending: reading };
      if (chunk.value !== undefined) bytes = join(bytes, chunk.value);
      if (!chunk.done && !isEnough(bytes)) continue;
      opened.reader.releaseLock();
      return { ...held, bytes, isEnd: chunk.done };
    }
  } finally {
    wait.end();
  }
}

/**
 * A body that begins with these bytes and goes on with the rest. `length` is that of both together,
 * if it is known.
 */
export function continueBody(
  bytes: Bytes,
  { isEnd, rest, pending, reader, isNative, onBroken }: HeldBody,
  length = Number.NaN,
): ReadableStream<Bytes> {
  // A script's stream may be longer than its response says.
  const { readable, writable } = createPipe(isNative ? length : Number.NaN);
  const send = async () => {
    const writer = writable.getWriter();
    try {
      if (bytes.length > 0) await writer.write(bytes);
      const late = await pending;
      if (pending !== undefined) reader.releaseLock();
      if (late?.value?.length) await writer.write(late.value);
      if (isEnd || late?.done) return await writer.close();
      writer.releaseLock();
    } catch (error) {
      const source = pending === undefined ? rest : reader;
      await Promise.allSettled([writer.abort(error), source.cancel(error)]);
      throw error;
    }
    return rest.pipeTo(writable);
  };
  // The visitor has left, or the origin has failed: the body ends as it would without the front.
  send().catch(() => onBroken?.());
  return readable;
}

/**
 * A stream that passes bytes on. That of workerd does so without a script, and costs a third of the
 * standard one.
 */
function createPipe(length: number): TransformStream<Bytes, Bytes> {
  const { IdentityTransformStream, FixedLengthStream } = globalThis as NativePipes;
  if (IdentityTransformStream === undefined || FixedLengthStream === undefined)
    return new TransformStream();
  return Number.isInteger(length) ? new FixedLengthStream(length) : new IdentityTransformStream();
}

interface NativePipes {
  readonly IdentityTransformStream?: new () => TransformStream<Bytes, Bytes>;
  readonly FixedLengthStream?: new (length: number) => TransformStream<Bytes, Bytes>;
}

/**
 * Two copies of a native body: one to be continued, and a reader of its rest, which ends when the
 * visitor leaves. Nothing may be pending. A script's stream would wait for both readers to leave.
 */
export function splitBody(
  held: HeldBody,
): [held: HeldBody, reader: ReadableStreamDefaultReader<Bytes>] {
  const [sent, copy] = held.rest.tee();
  const reader = copy.getReader();
  const onBroken = () => void reader.cancel().catch(() => undefined);
  return [{ ...held, rest: sent, onBroken }, reader];
}

/** A wait that begins once, and resolves to undefined. */
function createWait(ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let started: Promise<undefined> | undefined;
  return {
    start: (): Promise<undefined> => {
      started ??= new Promise((resolve) => {
        timer = setTimeout(() => resolve(undefined), ms);
      });
      return started;
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * A reader of a body. Those of the runtime give as many bytes as have arrived; streams of scripts
 * give their chunks.
 */
function openReader(body: ReadableStream<Bytes>, chunkBytes: number) {
  const byob = openByobReader(body);
  if (byob !== undefined) {
    const read = (): Promise<Chunk> => byob.read(new Uint8Array(chunkBytes));
    return { read, reader: byob, isNative: true };
  }
  const reader = body.getReader();
  return { read: (): Promise<Chunk> => reader.read(), reader, isNative: false };
}

function openByobReader(body: ReadableStream): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

function join(first: Bytes, second: Bytes): Bytes {
  if (first.length === 0) return second;
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
