/**
 * Decodes `manifest.json` of an artifact bundle, as sentry-cli and the bundler plugins write it.
 * Sources: getsentry/symbolic, symbolic-debuginfo `sourcebundle`; bundles of sentry-cli 2 and 3.
 */

import { asRecord, asText, type JsonFields } from "../decode/as-type.ts";
import { parseJsonText } from "../decode/parse-json.ts";
import { fail, ok, type Result } from "../result.ts";
import { parseDebugId } from "../symbolication/script-facts.ts";
import { truncateText } from "../truncate.ts";
import { artifactLimits } from "./artifact-limits.ts";

export const MANIFEST_PATH = "manifest.json";

/** A file that a manifest names. */
export interface BundleFile {
  /** The path of its entry in the zip. */
  readonly path: string;
  /** Null for other types, such as native bundles. */
  readonly kind: "script" | "map" | "source" | null;
  readonly url?: string;
  /** 32 lower-case hex characters. */
  readonly debugId?: string;
  /** For a script: the reference to its map, relative to `url`. */
  readonly sourceMapUrl?: string;
  /** Sentences for the person who uploads. */
  readonly problems: readonly string[];
}

export interface BundleManifest {
  readonly files: readonly BundleFile[];
  /** The id of the bundle, not of a file. */
  readonly debugId?: string;
  readonly release?: string;
  readonly dist?: string;
}

/** Why a manifest cannot be read. */
export interface ManifestProblem {
  readonly reason: "invalid-manifest";
  readonly detail: string;
}

const KINDS: ReadonlyMap<unknown, BundleFile["kind"]> = new Map([
  ["minified_source", "script"],
  ["source_map", "map"],
  ["source", "source"],
]);

/** The manifest in `text`. Fails if it is not a JSON object with `files`. */
export function decodeManifest(text: string): Result<BundleManifest, ManifestProblem> {
  const json = parseJsonText(text);
  if (json === undefined) return failWith("expected JSON");
  const manifest = asRecord(json);
  const files = asRecord(manifest?.files);
  if (manifest === undefined || files === undefined)
    return failWith('expected an object with the member "files"');
  const entries = Object.entries(files);
  if (entries.length > artifactLimits.maxFiles)
    return failWith(`expected at most ${artifactLimits.maxFiles} files, not ${entries.length}`);
  return ok({
    files: entries.map(([path, file]) => decodeFile(path, asRecord(file) ?? {})),
    debugId: parseDebugId(manifest.debug_id) ?? undefined,
    release: asText(manifest.release),
    dist: asText(manifest.dist),
  });
}

function decodeFile(path: string, file: JsonFields): BundleFile {
  const headers = readHeaders(file.headers);
  const url = asText(file.url);
  const sentId = headers.get("debug-id");
  const debugId = parseDebugId(sentId) ?? undefined;
  const problems: string[] = [];
  if (sentId !== undefined && debugId === undefined)
    problems.push(`The debug id "${truncateText(sentId, 60)}" is not a UUID.`);
  if (url === undefined && debugId === undefined)
    problems.push("The file has neither a URL nor a debug id, so it matches no frame.");
  return {
    path,
    kind: KINDS.get(file.type) ?? null,
    url,
    debugId,
    sourceMapUrl: headers.get("sourcemap") ?? headers.get("x-sourcemap"),
    problems,
  };
}

/** Header names differ in case between tools. */
function readHeaders(headers: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(asRecord(headers) ?? {}).flatMap(([name, value]) => {
      const text = typeof value === "string" ? value : undefined;
      return text === undefined ? [] : [[name.toLowerCase(), text] as const];
    }),
  );
}

function failWith(problem: string) {
  return fail<ManifestProblem>({
    reason: "invalid-manifest",
    detail: `${MANIFEST_PATH} is invalid: ${problem}.`,
  });
}
