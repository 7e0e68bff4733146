// The cost of source maps: converting one of 26 MB, and resolving a stack with it and with a small
// one. On plain workerd, by the code that the object of a project runs, without its database.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SeededRandom } from "../../src/core/sample/seeded-random.ts";
import { mappedBuild } from "../../tests/support/source-maps/mapped-issue.ts";
import { encodeMappings } from "../../tests/support/source-maps/random-maps.ts";
import { readBuildFile } from "../../tests/support/source-maps/source-map-fixtures.ts";
import { showProgress } from "../command/progress.ts";
import { computeMedians } from "../command/statistics.ts";
import { root } from "../install.mjs";
import { type Rig, startRig } from "../rig/rig.ts";
import { createLargeMap, LARGE_MAP_COLUMNS, LARGE_MAP_LINES } from "./large-map.ts";
import { uploadFile } from "./mapped-issue.ts";
import type { SourceMapCase } from "./options.ts";

/** Processes, each of which converts the map once and resolves stacks. */
const PROCESSES = 5;
/** Stacks per figure. */
const STACKS = 40;
/** Stacks that are not counted, because the engine compiles code during these. */
const WARM_UP_STACKS = 20;
const FRAMES = 50;
const FIRST_COLUMN = 20;
/** The columns of a line with the frames of one place: less than the code of one source has. */
const PLACE_COLUMNS = Math.floor(LARGE_MAP_COLUMNS / 40);

export interface SourceMapFigure {
  title: string;
  cpuMs: number;
  /** The goal in ms, if there is one. */
  goalMs?: number;
  /** By how much the peak of the resident memory exceeds the memory before the conversion. */
  megabytes?: number;
  goalMegabytes?: number;
}

interface Frame {
  file: string;
  line: number;
  column: number;
}

/** Measures the cases. `worker` is the bundle of `fixture/source-maps.ts`. */
export async function measureSourceMaps(
  worker: string,
  cases: readonly SourceMapCase[],
): Promise<readonly SourceMapFigure[]> {
  const figures: SourceMapFigure[] = [];
  if (cases.includes("stack-small")) {
    const { warmMs, coldMs } = await measureSmall(worker);
    figures.push(
      { title: "a stack of 6 frames, small map, blocks read before", cpuMs: warmMs },
      { title: "the same, no block read before", cpuMs: coldMs },
    );
  }
  if (cases.includes("stack-26mb") || cases.includes("convert-26mb")) {
    const { warmMs, coldMs, convertMs, megabytes } = await measureLarge(worker);
    const title = `${FRAMES} frames, map of 26 MB`;
    const memory = { megabytes, goalMegabytes: 100 };
    figures.push(
      { title: `${title}, blocks read before`, cpuMs: warmMs, goalMs: 10 },
      { title: `${title}, no block read before`, cpuMs: coldMs, goalMs: 40 },
      { title: "conversion of 26 MB", cpuMs: convertMs, goalMs: 1_000, ...memory },
    );
  }
  if (cases.includes("stack-names")) {
    const { firstMs, nextMs, coldMs, warmMs } = await measureNames(worker);
    const title = "a stack of 6 frames in 6 sources of 10 kB";
    figures.push(
      { title: `${title}, all parsed, first use of the parser`, cpuMs: firstMs, goalMs: 80 },
      { title: "the same, the parser was used before", cpuMs: nextMs, goalMs: 80 },
      { title: "the same, functions stored, no block read before", cpuMs: coldMs },
      { title: "the same, functions and blocks in memory", cpuMs: warmMs },
    );
  }
  if (cases.includes("upload-64mb")) figures.push(await measureUpload());
  return figures;
}

/** The whole product, with its database: a map is uploaded, converted and copied to KV. */
async function measureUpload(): Promise<SourceMapFigure> {
  const map = createLargeMap(64 / 26);
  const medians = await repeat("upload of 64 MB", undefined, async (rig) => {
    await fetch(`http://127.0.0.1:${rig.port}/issues`).then((response) => response.text());
    await rig.rest();
    rig.takeCpuMs();
    const before = rig.readMemory();
    await uploadFile(rig, { release: "1", url: "~/app.js.map" }, map);
    await rig.rest();
    return { cpuMs: rig.takeCpuMs(), megabytes: (rig.readPeakMemory() - before) / 1e6 };
  });
  return { title: "upload of 64 MB, converted and stored", ...medians, goalMegabytes: 128 };
}

function measureLarge(worker: string) {
  const map = createLargeMap();
  return repeat("source map of 26 MB", worker, async (rig, nth) => {
    rig.takeCpuMs();
    const before = rig.readMemory();
    await send(rig, "/convert", map);
    const convertMs = rig.takeCpuMs();
    const megabytes = (rig.readPeakMemory() - before) / 1e6;
    const random = new SeededRandom(String(nth));
    const stacks = await measureStacks(rig, () => createStack(random));
    return { convertMs, megabytes, ...stacks };
  });
}

function measureSmall(worker: string) {
  const { name, errors, files } = mappedBuild;
  const [{ path, map }, { frames }] = [files[0], errors[0]] as [
    (typeof files)[0],
    (typeof errors)[0],
  ];
  const stack = frames.flatMap(({ url = "", line, column }) =>
    line === undefined || column === undefined ? [] : [{ file: url, line, column }],
  );
  return repeat("small source map", worker, async (rig) => {
    await send(rig, "/script", new Uint8Array(readBuildFile(name, path)));
    await send(rig, "/convert", new Uint8Array(readBuildFile(name, map)));
    return measureStacks(rig, () => stack);
  });
}

/** Sources of this size, in bytes, whose functions are not known yet. */
const NAMED_SOURCES = 6;
const NAMED_SOURCE_BYTES = 10_000;

function measureNames(worker: string) {
  const sources = readSources();
  const map = {
    version: 3,
    sources: sources.map(({ name }) => name),
    sourcesContent: sources.map(({ text }) => text),
    names: [],
    mappings: encodeMappings(sources.map((_, n) => [[0, n, 100, 4]])),
  };
  const frames = sources.map((_, n) => ({ file: "app.js", line: n + 1, column: 1 }));
  return repeat("names of functions", worker, async (rig) => {
    await send(rig, "/convert", Uint8Array.from(Buffer.from(JSON.stringify(map))));
    rig.takeCpuMs();
    await resolveStack(rig, "/first", frames);
    const firstMs = rig.takeCpuMs();
    for (let nth = 0; nth < WARM_UP_STACKS; nth++) await resolveStack(rig, "/first", frames);
    rig.takeCpuMs();
    for (let nth = 0; nth < STACKS; nth++) await resolveStack(rig, "/first", frames);
    const nextMs = rig.takeCpuMs() / STACKS;
    return { firstMs, nextMs, ...(await measureStacks(rig, () => frames)) };
  });
}

/** The sources of Errata whose size is nearest to `NAMED_SOURCE_BYTES`. */
function readSources() {
  const folder = join(root, "src");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name: `../src/${name}`, text: readFileSync(join(folder, name), "utf8") }))
    .sort((a, b) => getDistance(a.text) - getDistance(b.text))
    .slice(0, NAMED_SOURCES);
}

function getDistance(text: string): number {
  return Math.abs(Buffer.byteLength(text) - NAMED_SOURCE_BYTES);
}

/** Measures in several new processes. Resolves to the medians. */
async function repeat<T extends Record<keyof T, number>>(
  title: string,
  worker: string | undefined,
  measure: (rig: Rig, nth: number) => Promise<T>,
): Promise<T> {
  const runs: T[] = [];
  for (let nth = 1; nth <= PROCESSES; nth++) {
    showProgress(`${title}, process ${nth} of ${PROCESSES}`);
    const rig = await startRig(worker);
    runs.push(await measure(rig, nth));
    await rig.stop();
  }
  return computeMedians(runs);
}

/** Resolves each stack with a map that was just opened, and with one that has its blocks. */
async function measureStacks(rig: Rig, createFrames: () => readonly Frame[]) {
  const measure = async (path: string, stacks: readonly (readonly Frame[])[]) => {
    rig.takeCpuMs();
    for (const frames of stacks) await resolveStack(rig, path, frames);
    return rig.takeCpuMs() / stacks.length;
  };
  for (let nth = 0; nth < WARM_UP_STACKS; nth++) await resolveStack(rig, "/cold", createFrames());
  const coldMs = await measure("/cold", Array.from({ length: STACKS }, createFrames));
  const frames = createFrames();
  await resolveStack(rig, "/cold", frames);
  const warmMs = await measure("/warm", Array<readonly Frame[]>(STACKS).fill(frames));
  return { coldMs, warmMs };
}

/** Frames at places all over the map, in one of the sources of each line. */
function createStack(random: SeededRandom): readonly Frame[] {
  return Array.from({ length: FRAMES }, () => {
    const line = 1 + random.nextInt(LARGE_MAP_LINES);
    // Nothing is mapped before the first segment of a line.
    const first = FIRST_COLUMN + ((line * 7) % LARGE_MAP_LINES) * PLACE_COLUMNS;
    return { file: "app.js", line, column: first + random.nextInt(PLACE_COLUMNS) };
  });
}

async function resolveStack(rig: Rig, path: string, frames: readonly Frame[]): Promise<void> {
  const resolved = Number(await send(rig, path, JSON.stringify(frames)));
  if (resolved < frames.length) throw new Error(`${resolved} of ${frames.length} frames resolved.`);
}

async function send(rig: Rig, path: string, body: BodyInit): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${rig.port}${path}`, { method: "POST", body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`);
  return answer;
}
