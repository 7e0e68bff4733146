// Uploads of source maps during the faults, as sentry-cli sends them: each is sent again until the
// response is `ok`. Readers request frames of uploads in progress.

import { setTimeout as sleep } from "node:timers/promises";
import {
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
} from "../../tests/support/source-maps/make-build.ts";
import type { Client } from "../rig/client.ts";
import { createMapClient } from "./map-client.ts";
import { createChance } from "./plan.ts";

const UPLOADERS = 2;
/** Every third bundle is too large to be converted before the response. */
const LARGE_EVERY = 3;
const LARGE_SOURCE_BYTES = 700_000;
const FILES_PER_BUNDLE = 4;
const PAUSE_MS = 100;
const PATIENCE_MS = 60_000;

/** A bundle of one release, and its result. */
interface SentMaps {
  release: string;
  /** The names of its scripts. */
  names: readonly string[];
  isOk: boolean;
}

export type MapUploads = ReturnType<typeof startUploads>;

/** Starts the uploads. */
export function startUploads(seed: number, client: Client) {
  const sent: SentMaps[] = [];
  const wrong: string[] = [];
  const figures = { bundles: 0, retries: 0, converting: 0, asked: 0, unresolved: 0 };
  let isEnding = false;
  let nextN = 0;
  let onConversion: (() => void) | undefined;
  const { assemble, sendChunks } = createMapClient(client);
  const uploaders = Promise.all(Array.from({ length: UPLOADERS }, upload));
  const reader = read();

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
    const builds = names.map((name) => makeBuild(name));
    const bundle = makeArtifactBundle(
      listBundledFiles(isLarge ? builds.map((build) => enlarge(build, chance)) : builds),
    );
    const entry: SentMaps = { release, names, isOk: false };
    sent.push(entry);
    figures.bundles++;
    while (!entry.isOk) {
      const state = await assemble(bundle, release);
      if (state?.state === "ok") entry.isOk = true;
      else if (state?.state === "not_found") await sendChunks(bundle, state.missingChunks, chance);
      else if (state?.state === "error") {
        wrong.push(`${release} was refused: ${state.detail}`);
        return;
      } else if (state?.state === "created") {
        figures.converting++;
        onConversion?.();
        onConversion = undefined;
        await sleep(PAUSE_MS * chance());
      } else {
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
      let resolvedName: string | undefined;
      for (const name of entry.names) {
        const wasOk = entry.isOk || resolvedName !== undefined;
        figures.asked++;
        const place = await findPlace(entry.release, name);
        if (place === "unknown") continue;
        if (place === null && wasOk) {
          wrong.push(`${name} of ${entry.release} is not resolved, but was readable before`);
        }
        if (place === null) figures.unresolved++;
        else if (place !== getExpectedPlace(name)) wrong.push(`${name} is resolved to ${place}`);
        else resolvedName = name;
      }
    }
  }

  /** The place of the frame that throws: `src/app0x1.ts:2`; null if it has none. */
  async function findPlace(release: string, name: string): Promise<string | null | "unknown"> {
    const script = `https://shop.example/assets/${name}.js:1:20`;
    const query = new URLSearchParams({ script, release });
    const answer = await client.readJson(`/source-maps?${query}`);
    const result = answer?.check?.result;
    if (result === undefined || result === null) return "unknown";
    const { place } = result;
    return place?.kind === "resolved" ? `${place.file}:${place.line}` : null;
  }

  return {
    sent,
    wrong,
    figures,
    /** Calls `action` once, when a bundle is being converted. */
    onNextConversion(action: () => void) {
      onConversion = action;
    },
    cancelOnNextConversion() {
      onConversion = undefined;
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
      const isLate = (ms: number) => performance.now() - beganMs > ms;
      for (const { release, names, isOk } of sent) {
        for (const name of isOk ? names : []) {
          let place = await findPlace(release, name);
          while (
            place !== getExpectedPlace(name) &&
            !isLate(place === "unknown" ? PATIENCE_MS : patienceMs)
          ) {
            await sleep(PAUSE_MS);
            place = await findPlace(release, name);
          }
          if (place !== getExpectedPlace(name)) unreadable.push(`${name} of ${release}: ${place}`);
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
