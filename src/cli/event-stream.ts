/** Server-sent events. Source: HTML Living Standard, section 9.2.6 Interpreting an event stream. */
import { API_PATH } from "../core/accounts/project-path.ts";
import { send } from "./api-client.ts";
import { CommandFailure } from "./failure.ts";
import type { Target } from "./settings.ts";

/** An event: the id to resume after, and the data. */
export interface StreamedEvent {
  readonly id: string;
  readonly data: string;
}

/** A server sends a comment four times as often. */
const SILENCE_MS = 60_000;

/**
 * The events of a path below `/api/v1`, until the server or the network ends them. Throws a
 * `CommandFailure` if they do not begin: an earlier Errata has none.
 */
export async function followApi(
  target: Target,
  path: string,
  options: {
    readonly lastId: string | undefined;
    readonly onWait: (seconds: number) => void;
  },
): Promise<AsyncIterable<StreamedEvent>> {
  const { lastId, onWait } = options;
  const response = await send(target, API_PATH + path, {
    isLong: true,
    onWait,
    headers: {
      Accept: "text/event-stream",
      ...(lastId !== undefined && { "Last-Event-ID": lastId }),
    },
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!isStream || response.body === null) {
    await response.body?.cancel();
    throw new CommandFailure("failed", `${target.url} sends no events.`);
  }
  return readEvents(response.body.pipeThrough(new TextDecoderStream()));
}

/** The events of a stream. Ends with it, also when it breaks or falls silent. */
export async function* readEvents(stream: ReadableStream<string>): AsyncGenerator<StreamedEvent> {
  const reader = stream.getReader();
  let text = "";
  try {
    for (;;) {
      const read = await withDeadline(reader.read());
      if (read === undefined || read.done) return;
      text += read.value.replaceAll("\r\n", "\n");
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const lines = block.split("\n");
        const data = lines.flatMap((line) => readField(line, "data") ?? []);
        const id = lines.flatMap((line) => readField(line, "id") ?? []).at(-1) ?? "";
        if (data.length > 0) yield { id, data: data.join("\n") };
      }
    }
  } catch {
    // The connection broke. The caller resumes after the last event.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readField(line: string, name: string): string | undefined {
  return line.startsWith(`${name}:`) ? line.slice(name.length + 1).replace(/^ /, "") : undefined;
}

/** The value; undefined if it does not come in time. */
async function withDeadline<T>(value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, SILENCE_MS, undefined);
  });
  try {
    return await Promise.race([value, silence]);
  } finally {
    clearTimeout(timer);
  }
}
