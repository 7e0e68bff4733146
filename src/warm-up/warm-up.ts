/**
 * Answers the main pages and a report once while the isolate starts, from recorded answers of its
 * objects. V8 compiles a function when it is called for the first time: without this, the first page
 * takes three times the CPU time that the free plan allows for a request. The start has a limit of
 * its own, of a second.
 *
 * The pages get bindings, a clock and globals of their own, so nothing of them reaches a request.
 */
import type { Bindings } from "../bindings.ts";
import type { Platform } from "../open-services.ts";
import type { Recording } from "./recording.ts";
import { createStandInBindings } from "./stand-in-bindings.ts";
import { withStandInGlobals } from "./stand-in-globals.ts";

/** Addresses of the machine itself, so that the pages of a local Errata need no session. */
const ORIGIN = "http://127.0.0.1";
/** A page takes some thousand turns of the microtask queue. */
const MAX_TURNS = 100_000;

/** How a page was answered. */
export interface WarmedPage {
  readonly path: string;
  /** 0 if it threw or did not end. */
  readonly status: number;
  readonly bytes: number;
}

export interface WarmUpOptions {
  readonly recording: Recording;
  readonly answer: (request: Request, bindings: Bindings, platform: Platform) => Promise<Response>;
  /** True while React collects its tasks (`render/react/patch-scheduling.ts`). */
  readonly isCollecting: () => boolean;
}

/** Answers the recorded pages. Never rejects, and ends without I/O. */
export async function warmUp(options: WarmUpOptions): Promise<readonly WarmedPage[]> {
  const { recording, isCollecting } = options;
  const warmed: WarmedPage[] = [];
  try {
    await withStandInGlobals(isCollecting, async () => {
      for (const page of recording.pages) {
        const { path } = page;
        warmed.push({ path, ...(await endWithinTurns(openPage(options, path))) });
      }
    });
  } catch {
    // A Worker that is cold still works.
  }
  return warmed;
}

const NOT_ANSWERED = { status: 0, bytes: 0 };

async function openPage({ recording, answer }: WarmUpOptions, path: string) {
  const page = recording.pages.find((one) => one.path === path);
  if (page === undefined) return NOT_ANSWERED;
  const { body } = page;
  const request =
    body === undefined
      ? new Request(ORIGIN + path, { headers: { accept: "text/html" } })
      : new Request(ORIGIN + path, { method: "POST", body: toStream(body) });
  const bindings = createStandInBindings(page, recording);
  const response = await answer(request, bindings, createPlatform(recording.atMs));
  let bytes = 0;
  // The runtime itself sends the other bodies, which are texts.
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  for await (const chunk of (isPage && response.body) || []) bytes += chunk.length;
  return { status: response.status, bytes };
}

/** The runtime itself reads a text by I/O. */
function toStream(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

/** Nothing is random, continues after a response, or is logged. */
function createPlatform(nowMs: number): Platform {
  return {
    nowMs: () => nowMs,
    newId: () => "0".repeat(32),
    newNonce: () => "AAAAAAAAAAAAAAAAAAAAAA==",
    waitUntil: (work) => void work.catch(() => undefined),
    logFailure: () => undefined,
    logProblem: () => undefined,
  };
}

/**
 * What the page resolves to, or NOT_ANSWERED if it rejects or has not ended after MAX_TURNS: a
 * promise that waits for I/O does not settle while the isolate starts.
 */
async function endWithinTurns(page: Promise<Omit<WarmedPage, "path">>) {
  let ended: Omit<WarmedPage, "path"> | undefined;
  page.then(
    (result) => {
      ended = result;
    },
    () => {
      ended = NOT_ANSWERED;
    },
  );
  for (let turn = 0; turn < MAX_TURNS && ended === undefined; turn++) await null;
  return ended ?? NOT_ANSWERED;
}
