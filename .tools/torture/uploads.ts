// Uploads of source maps during the faults, as sentry-cli sends them: each is sent again until the
// response is `ok`. Readers request frames of uploads in progress.

import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import {
  cutChunks,
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
  toSha1,
} from "../../tests/support/source-maps/make-build.ts";
import { type Client, parseJson } from "../rig/client.ts";
import { createChance } from "./plan.ts";

const API = "/api/0/organizations/errata";
const UPLOADERS = 2;
/** Every third bundle is too large to be converted before the response. */
const LARGE_EVERY = 3;
const LARGE_SOURCE_BYTES = 700_000;
const FILES_PER_BUNDLE = 4;
const PAUSE_MS = 100;
const PATIENCE_MS = 60_000;

/** A bundle of one release with these scripts, and its result. */
interface SentMaps {
  release: string;
  names: readonly string[];
  isOk: boolean;
}

export type MapUploads = ReturnType<typeof startUploads>;

/** Starts the uploads. */
export function startUploads(seed: number, client: Client) {
  const sent: SentMaps[] = [];
  const wrong: string[] = [];
  const figures = { bundles: 0, retries: 0, converting: 0, framesAsked: 0, unresolved: 0 };
  let isEnding = false;
  let nextN = 0;
  let onConversion: (() => void) | undefined;
  const token = createToken();
  const uploaders = Promise.all(Array.from({ length: UPLOADERS }, upload));
  const reader = read();

  /** Creates the token of a program, which survives kills. */
  async function createToken(): Promise<string> {
    for (;;) {
      const { text } = await client.send({
        ...{ method: "POST", path: "/settings", body: "do=add-token&name=torture&role=uploader" },
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          // Of a form on Errata's own page.
          "sec-fetch-site": "same-origin",
        },
      });
      const found = /sntrys_[\w=+/-]+/.exec(text)?.[0];
      if (found !== undefined) return found;
      await sleep(PAUSE_MS);
    }
  }

  async function post(
    path: string,
    type: string,
    body: string | Uint8Array,
    leaveAfterMs?: number,
  ) {
    const authorization = `Bearer ${await token}`;
    const headers = { authorization, "user-agent": "sentry-cli/3.8.0", "content-type": type };
    return client.send({ method: "POST", path: API + path, headers, body, leaveAfterMs });
  }

  /** Requests the state of a bundle, and its conversion once its chunks are there. */
  async function assemble(bundle: Uint8Array, release: string) {
    const [checksum, chunks] = [toSha1(bundle), cutChunks(bundle).map(toSha1)];
    const body = JSON.stringify({ checksum, chunks, projects: ["1"], version: release });
    const { status, text } = await post("/artifactbundle/assemble/", "application/json", body);
    return status === 200 ? parseJson(text) : undefined;
  }

  /** Sends the missing chunks. May disconnect before the response. */
  async function sendChunks(bundle: Uint8Array, missing: readonly string[], chance: () => number) {
    const form = new FormData();
    for (const chunk of cutChunks(bundle)) {
      const name = toSha1(chunk);
      const file = new File([new Uint8Array(gzipSync(chunk))], name);
      if (missing.includes(name)) form.append("file_gzip", file);
    }
    const encoded = new Response(form);
    const type = encoded.headers.get("content-type") ?? "";
    const body = new Uint8Array(await encoded.arrayBuffer());
    await post("/chunk-upload/", type, body, chance() < 0.1 ? 20 * chance() : undefined);
  }

  async function upload() {
    while (!isEnding) {
      await uploadBundle(nextN++);
      await sleep(PAUSE_MS);
    }
  }

  async function uploadBundle(n: number) {
    const release = `maps@${n}`;
    const chance = createChance(seed, release);
    const isLarge = n % LARGE_EVERY === 0;
    // The last file is in every bundle, but the project stores it once.
    const names = Array.from({ length: FILES_PER_BUNDLE }, (_, i) =>
      i === FILES_PER_BUNDLE - 1 ? "vendor" : `app${n}x${i}`,
    );
    const builds = names.map((name) =>
      isLarge ? enlarge(makeBuild(name), chance) : makeBuild(name),
    );
    const bundle = makeArtifactBundle(listBundledFiles(builds));
    const entry: SentMaps = { release, names, isOk: false };
    sent.push(entry);
    figures.bundles++;
    while (!entry.isOk) {
      const answer = await assemble(bundle, release);
      switch (answer?.state) {
        case "ok":
          entry.isOk = true;
          break;
        case "not_found":
          await sendChunks(bundle, answer.missingChunks, chance);
          break;
        case "created":
          figures.converting++;
          onConversion?.();
          onConversion = undefined;
          await sleep(PAUSE_MS * chance());
          break;
        case "error":
          wrong.push(`${release} was refused: ${answer.detail}`);
          return;
        default:
          figures.retries++;
          await sleep(PAUSE_MS);
      }
    }
  }

  /**
   * Frames of an upload must be resolved correctly, all of them or none: once one is resolved, the
   * others must be.
   */
  async function read() {
    const chance = createChance(seed, "maps reader");
    while (!isEnding) {
      await sleep(PAUSE_MS);
      const entry = sent.at(-1 - Math.floor(3 * chance()));
      if (entry === undefined) continue;
      let isResolved = false;
      for (const name of entry.names) {
        const wasOk = entry.isOk || isResolved;
        figures.framesAsked++;
        const place = await findPlace(entry.release, name);
        if (place === "unknown") continue;
        if (place === null) figures.unresolved++;
        else if (place === getExpectedPlace(name)) isResolved = true;
        else wrong.push(`${name} is resolved to ${place}`);
        if (place === null && wasOk)
          wrong.push(`${name} of ${entry.release} is not resolved, but was readable before`);
      }
    }
  }

  /** The place of the frame that throws: `src/app0x1.ts:2`; null if it has none. */
  async function findPlace(release: string, name: string): Promise<string | null> {
    const script = `https://shop.example/assets/${name}.js:1:20`;
    const query = new URLSearchParams({ script, release });
    const result = (await client.readJson(`/source-maps?${query}`))?.check?.result;
    if (result === undefined || result === null) return "unknown";
    const { place } = result;
    return place?.kind === "resolved" ? `${place.file}:${place.line}` : null;
  }

  return {
    sent,
    wrong,
    figures,
    /** Calls `action` once, when a bundle is being converted; undefined cancels. */
    onNextConversion(action: (() => void) | undefined) {
      onConversion = action;
    },
    /** Resolves when every bundle in progress got the response `ok`. */
    async end() {
      isEnding = true;
      await Promise.all([uploaders, reader]);
    },
    /**
     * Bundles with the response `ok` whose frames are not resolved correctly. Waits `patienceMs`,
     * because a copy of the registry without the uploads may be a minute old.
     */
    async findUnreadable(patienceMs = PATIENCE_MS): Promise<readonly string[]> {
      const unreadable: string[] = [];
      const beganMs = performance.now();
      for (const { release, names } of sent.filter(({ isOk }) => isOk)) {
        for (const name of names) {
          for (;;) {
            const place = await findPlace(release, name);
            if (place === getExpectedPlace(name)) break;
            const maxMs = place === "unknown" ? PATIENCE_MS : patienceMs;
            if (performance.now() - beganMs > maxMs) {
              unreadable.push(`${name} of ${release}: ${place}`);
              break;
            }
            await sleep(PAUSE_MS);
          }
        }
      }
      return unreadable;
    },
  };
}

function getExpectedPlace(name: string) {
  return `src/${name}.ts:2`;
}

/** A build whose map has another source with random text. */
function enlarge(build: ReturnType<typeof makeBuild>, chance: () => number) {
  const map = JSON.parse(build.map);
  const words = Array.from({ length: LARGE_SOURCE_BYTES / 7 }, () =>
    chance().toString(36).slice(2, 9),
  );
  map.sources.push("../src/text.ts");
  map.sourcesContent.push(words.join(" "));
  return { ...build, map: JSON.stringify(map) };
}
