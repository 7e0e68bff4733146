/** The question that a report asks the uploaded source maps. Pure. */
import { asArray, asRecord, asText, filterRecords, parseHexId } from "../../decode/as-type.ts";
import { omitUndefined } from "../../omit-undefined.ts";
import type { Frame, Report } from "../../report.ts";
import type { DebugImage, ResolveRequest, SentFrame } from "../resolution.ts";
import { parseComponentFrames } from "./component-stack.ts";
import type { NamedBuild } from "./upload-command.ts";

/**
 * The stacks of the report, of the error first, then of each cause, then of the components if they
 * name scripts, with the debug ids of their files. Null if no frame names a file.
 */
export function createResolveRequest(
  report: Pick<Report, "frames" | "causes" | "componentStack" | "detail" | "release">,
): ResolveRequest | null {
  const components = parseComponentFrames(report.componentStack);
  const stacks = [
    report.frames,
    ...(report.causes ?? []).map(({ frames }) => frames),
    ...(components.length > 0 ? [components] : []),
  ];
  const files = new Set(stacks.flat().flatMap(({ file }) => file ?? []));
  if (files.size === 0) return null;
  const detail = asRecord(report.detail);
  return omitUndefined({
    stacks: stacks.map((frames) => frames.map(toSentFrame)),
    images: selectImages(listImages(detail?.debug_meta), files),
    ...getNamedBuild(report),
  });
}

/** The build that the report names. Only Sentry events have a dist. */
export function getNamedBuild({ release, detail }: Pick<Report, "release" | "detail">): NamedBuild {
  return { release, dist: asText(asRecord(detail)?.dist) };
}

function toSentFrame({ file, line, column, function: name }: Frame): SentFrame {
  return omitUndefined({ file, line, column, function: name });
}

/** The images of `debug_meta` that name a script. A debug id may end in an age: `<uuid>-0`. */
function listImages(debugMeta: unknown): readonly DebugImage[] {
  const images = filterRecords(asArray(asRecord(debugMeta)?.images) ?? []);
  return images.flatMap(({ code_file: codeFile, debug_id: id }) => {
    const file = asText(codeFile);
    const debugId = parseHexId(asText(id)?.replace(/^(.{32,36})-\d{1,3}$/, "$1"));
    return file === undefined || debugId === undefined ? [] : [{ file, debugId }];
  });
}

/**
 * One image for each of `files` that has one, with the file's own spelling. SDKs write the image of
 * a script as its frames do; some add a query or `async `.
 */
function selectImages(
  images: readonly DebugImage[],
  files: ReadonlySet<string>,
): readonly DebugImage[] {
  if (images.length === 0) return [];
  const byFile = new Map(images.map(({ file, debugId }) => [toScriptPath(file), debugId]));
  return [...files].flatMap((file) => {
    const debugId = byFile.get(toScriptPath(file));
    return debugId === undefined ? [] : [{ file, debugId }];
  });
}

function toScriptPath(file: string): string {
  return file.replace(/^async /, "").replace(/[?#].*$/s, "");
}
