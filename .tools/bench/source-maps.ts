// The cost of source maps: converting one of 26 MB, and resolving a stack with it and with a small
// one. On plain workerd, by the code that the object of a project runs, without its database.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { progress } from "../command/progress.ts";
import { median } from "../command/statistics.ts";
import { root } from "../install.mjs";
import { type Rig, startRig } from "../rig/rig.ts";
import { createLargeMap, createNumbers, LARGE_MAP_COLUMNS, LARGE_MAP_LINES } from "./large-map.ts";
import { uploadFile } from "./mapped-issue.ts";
import type { SourceMapCase } from "./source-map-cases.ts";

/** Processes, each of which converts the map once and resolves stacks. */
const PROCESSES = 5;
/** Stacks per figure, because Linux counts the CPU time of a process in steps of 10 ms. */
const STACKS = 40;
/** Stacks that are not counted, because the engine compiles code during these. */
const WARM_UP_STACKS = 20;
const FRAMES = 50;
const FIRST_COLUMN = 20;
const BUILD = "tests/fixtures/source-maps/vite-react";
const SCRIPT = "dist/assets/index-Cepvnn19.js";

export interface SourceMapFigure {
  name: SourceMapCase;
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
  function?: string;
}

/**
 * Measures the cases. `worker` is the bundle of `fixture/source-maps.ts`, `built` that of the
 * product.
 */
export async function measureSourceMaps(
  worker: string,
  built: string,
  cases: readonly SourceMapCase[],
): Promise<readonly SourceMapFigure[]> {
  const figures: SourceMapFigure[] = [];
  const isLarge = cases.includes("stack-26mb") || cases.includes("convert-26mb");
  const large = isLarge ? await measureLarge(worker) : null;
  const small = cases.includes("stack-small") ? await measureSmall(worker) : null;
  if (small !== null) {
    const name = "stack-small";
    figures.push(
      { name, title: "a stack of 6 frames, small map, blocks read before", cpuMs: small.warmMs },
      { name, title: "the same, no block read before", cpuMs: small.coldMs },
    );
  }
  if (large !== null && cases.includes("stack-26mb")) {
    const name = "stack-26mb";
    const title = `${FRAMES} frames, map of 26 MB`;
    figures.push(
      { name, title: `${title}, blocks read before`, cpuMs: large.warmMs, goalMs: 10 },
      { name, title: `${title}, no block read before`, cpuMs: large.coldMs, goalMs: 40 },
    );
  }
  if (large !== null && cases.includes("convert-26mb")) {
    const { convertMs: cpuMs, megabytes } = large;
    const goals = { goalMs: 1_000, goalMegabytes: 100 };
    figures.push({
      name: "convert-26mb",
      title: "conversion of 26 MB",
      cpuMs,
      megabytes,
      ...goals,
    });
  }
  if (cases.includes("upload-64mb")) figures.push(await measureUpload(built));
  return figures;
}

/** The whole product, with its database: a map is uploaded, converted and copied to KV. */
async function measureUpload(built: string): Promise<SourceMapFigure> {
  const map = createLargeMap(64 / 26);
  const runs = [];
  for (let nth = 1; nth <= PROCESSES; nth++) {
    progress(`upload of 64 MB, process ${nth} of ${PROCESSES}`);
    const rig = await startRig(built, root);
    await fetch(`http://127.0.0.1:${rig.port}/issues`).then((response) => response.text());
    await rig.rest();
    rig.cpuUs();
    const before = rig.residentBytes();
    await uploadFile(rig, { release: "1", url: "~/app.js.map" }, map);
    await rig.rest();
    const megabytes = (rig.peakResidentBytes() - before) / 1e6;
    runs.push({ cpuMs: rig.cpuUs() / 1_000, megabytes });
    await rig.stop();
  }
  return {
    name: "upload-64mb",
    title: "upload of 64 MB, converted and stored",
    cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
    megabytes: median(runs.map(({ megabytes }) => megabytes)),
    goalMegabytes: 128,
  };
}

async function measureLarge(worker: string) {
  const map = createLargeMap();
  const runs = [];
  for (let nth = 1; nth <= PROCESSES; nth++) {
    progress(`source map of 26 MB, process ${nth} of ${PROCESSES}`);
    const rig = await startRig(worker, root);
    rig.cpuUs();
    const before = rig.residentBytes();
    await send(rig, "/convert", map);
    const convertMs = rig.cpuUs() / 1_000;
    const megabytes = (rig.peakResidentBytes() - before) / 1e6;
    const next = createNumbers(nth);
    const stacks = await measureStacks(rig, () => createStack(next));
    runs.push({ convertMs, megabytes, ...stacks });
    await rig.stop();
  }
  return {
    convertMs: median(runs.map(({ convertMs }) => convertMs)),
    megabytes: median(runs.map(({ megabytes }) => megabytes)),
    warmMs: median(runs.map(({ warmMs }) => warmMs)),
    coldMs: median(runs.map(({ coldMs }) => coldMs)),
  };
}

async function measureSmall(worker: string) {
  const runs = [];
  const file = (path: string) => readFileSync(join(root, BUILD, path));
  const { errors } = JSON.parse(file("case.json").toString());
  const frames = (errors[0].frames as (Frame & { url?: string })[]).filter(({ line }) => line);
  const stack = frames.map(({ url = "", line, column }) => ({ file: url, line, column }));
  for (let nth = 1; nth <= PROCESSES; nth++) {
    progress(`small source map, process ${nth} of ${PROCESSES}`);
    const rig = await startRig(worker, root);
    await send(rig, "/script", file(SCRIPT));
    await send(rig, "/convert", file(`${SCRIPT}.map`));
    runs.push(await measureStacks(rig, () => stack));
    await rig.stop();
  }
  return {
    warmMs: median(runs.map(({ warmMs }) => warmMs)),
    coldMs: median(runs.map(({ coldMs }) => coldMs)),
  };
}

/** Resolves each stack with a map that was just opened, and with one that has its blocks. */
async function measureStacks(rig: Rig, createFrames: () => readonly Frame[]) {
  const measure = async (path: string, stacks: readonly (readonly Frame[])[]) => {
    rig.cpuUs();
    for (const frames of stacks) await resolveStack(rig, path, frames);
    return rig.cpuUs() / 1_000 / stacks.length;
  };
  for (let nth = 0; nth < WARM_UP_STACKS; nth++) await resolveStack(rig, "/cold", createFrames());
  const coldMs = await measure("/cold", Array.from({ length: STACKS }, createFrames));
  const frames = createFrames();
  await resolveStack(rig, "/cold", frames);
  const warmMs = await measure("/warm", Array<readonly Frame[]>(STACKS).fill(frames));
  return { coldMs, warmMs };
}

/** Frames at places all over the map. */
function createStack(next: (below: number) => number): readonly Frame[] {
  return Array.from({ length: FRAMES }, () => ({
    file: "app.js",
    line: 1 + next(LARGE_MAP_LINES),
    // Nothing is mapped before the first segment of a line.
    column: FIRST_COLUMN + next(LARGE_MAP_COLUMNS),
  }));
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
