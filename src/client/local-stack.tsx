/** Shows a stack resolved by local maps. A map leaves the browser only if the person uploads it. */
import { createRoot } from "react-dom/client";
import type { Report } from "../core/report.ts";
import { getFileName } from "../core/symbolication/file-candidates.ts";
import type { ScriptFunctions } from "../core/symbolication/function-ranges.ts";
import {
  removeIndentation,
  toOriginalComponentStack,
} from "../core/symbolication/report/component-stack.ts";
import {
  type LocalMap,
  readLocalMap,
  resolveLocally,
  toScriptName,
} from "../core/symbolication/report/local-maps.ts";
import { hasResolvedFrames } from "../core/symbolication/report/original-stack.ts";
import {
  createResolveRequest,
  getNamedBuild,
} from "../core/symbolication/report/resolve-request.ts";
import type { FrameResolution } from "../core/symbolication/resolution.ts";
import { readScriptFacts } from "../core/symbolication/script-facts.ts";
import { type LocalMapFile, LocalMapNote } from "../ui/issue/stack/local-map-note.tsx";
import { StackFrames } from "../ui/issue/stack/original-frames.tsx";
import { getBasePath } from "./live-socket.ts";

/**
 * Replaces the stacks of a report by the ones that the files resolve, and states the result of each
 * map. `files` are maps, and their scripts.
 */
export async function showStack(section: HTMLElement, files: readonly File[]): Promise<void> {
  const response = await fetch(section.dataset.stackUrl ?? "");
  const note = findNote(section);
  if (!response.ok) {
    note.render(<LocalMapNote problem="The report cannot be read." files={[]} />);
    return;
  }
  const report: Report = await response.json();
  const request = createResolveRequest(report);
  const { maps, read } = await readFiles(files);
  const resolutions = request === null ? [] : resolveLocally(request, maps);
  const isResolved = hasResolvedFrames(resolutions);
  const mapFiles = read.map((one) => ({ ...one, upload: () => upload(one.file, report) }));
  const problem = isResolved || maps.length === 0 ? undefined : NO_FRAME;
  note.render(<LocalMapNote problem={problem} files={mapFiles} />);
  if (!isResolved) return;
  const build = getNamedBuild(report);
  const stacks = [report.frames, ...(report.causes ?? []).map(({ frames }) => frames)];
  for (const [n, frames] of stacks.entries()) {
    const list = findList(section, n);
    if (list === null) continue;
    replaceBy(list).render(
      <StackFrames frames={frames} resolutions={resolutions[n] ?? []} build={build} />,
    );
  }
  showComponents(report.componentStack, resolutions[stacks.length]);
}

function showComponents(sent = "", resolutions: readonly FrameResolution[] = []): void {
  const text = document.querySelector("[data-component-stack] pre");
  if (text) text.textContent = removeIndentation(toOriginalComponentStack(sent, resolutions));
}

const NO_FRAME = "No frame of this stack belongs to the script of this map.";

interface ReadFiles {
  readonly maps: readonly LocalMap[];
  readonly read: readonly (Omit<LocalMapFile, "upload"> & { readonly file: File })[];
}

async function readFiles(files: readonly File[]): Promise<ReadFiles> {
  const scripts = await readScripts(files.filter(isScript));
  const { nameFunctions } = await import("../core/symbolication/names/parse-source.ts");
  const maps: LocalMap[] = [];
  const read: (Omit<LocalMapFile, "upload"> & { readonly file: File })[] = [];
  for (const file of files.filter((one) => !isScript(one))) {
    const functions = await readFunctions(
      scripts.get(file.name) ?? scripts.get(`${toScriptName(file.name)}.map`),
    );
    const bytes = new Uint8Array(await file.arrayBuffer());
    const map = readLocalMap(file.name, bytes, functions, nameFunctions);
    if (map.ok) maps.push(map.value);
    read.push({ file, name: file.name, ...(!map.ok && { problem: map.detail }) });
  }
  return { maps, read };
}

function isScript({ name }: File): boolean {
  return /\.[cm]?js$/i.test(name);
}

/** Scripts by the name of their map: the one that they name, else their own with `.map`. */
async function readScripts(files: readonly File[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = files.map(async (file) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const mapUrl = readScriptFacts(bytes).sourceMappingUrl;
    const isNamed = mapUrl !== undefined && !mapUrl.startsWith("data:");
    return [isNamed ? getFileName(mapUrl) : `${file.name}.map`, bytes] as const;
  });
  return new Map(await Promise.all(entries));
}

async function readFunctions(script: Uint8Array | undefined): Promise<ScriptFunctions | null> {
  if (script === undefined) return null;
  const { parseFunctions } = await import("../core/symbolication/function-ranges.ts");
  return parseFunctions(new TextDecoder().decode(script));
}

/** Uploads a map for all members. Resolves to a sentence about the result. */
async function upload(file: File, report: Report): Promise<string> {
  const { release, dist } = getNamedBuild(report);
  const script = report.frames.find((frame) => frame.file?.includes(toScriptName(file.name)));
  const query = new URLSearchParams();
  if (release !== undefined) query.set("release", release);
  if (dist !== undefined) query.set("dist", dist);
  if (script?.file !== undefined) query.set("url", `${script.file.replace(/[?#].*$/s, "")}.map`);
  const url = `${getBasePath()}/source-maps/${encodeURIComponent(file.name)}?${query}`;
  const response = await fetch(url, { method: "PUT", body: file });
  if (response.ok) return "Uploaded. Reload the page in a moment.";
  const { detail = "The upload failed." } = (await response.json()) as { detail?: string };
  return detail;
}

/** The list of frames of the error (0) or of a cause (from 1); null if it has none. */
function findList(section: HTMLElement, n: number): HTMLElement | null {
  const holder = section.querySelector(`[data-error="${n}"]`);
  return holder?.querySelector(":scope > .frames, :scope > [data-local-stack]") ?? null;
}

function replaceBy(list: HTMLElement) {
  const holder = document.createElement("div");
  holder.dataset.localStack = "";
  list.replaceWith(holder);
  return createRoot(holder);
}

function findNote(section: HTMLElement) {
  const holder = document.createElement("div");
  const previous = section.querySelector("[data-local-maps]");
  holder.dataset.localMaps = "";
  if (previous) previous.replaceWith(holder);
  else section.querySelector("h2")?.after(holder);
  return createRoot(holder);
}
