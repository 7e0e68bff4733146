/**
 * Selects the uploaded files that belong to the script of a frame. A wrong map misleads more than
 * none, so every rule excludes what could be meant too. Pure.
 *
 * 1. By debug id: the store looks it up, and nothing here applies.
 * 2. By release, dist and URL (`selectByUrl`). `~/…` stands for the host of the report's page and,
 *    with a mark, for its subdomains and parents, for any host if the name has a hash of the
 *    content, and for the host of the script if no page is known.
 * 3. By the name of the file (`selectByName`), if it can have no other meaning.
 */

import { hasContentHash } from "../scripts/content-hash.ts";
import {
  areOfOneSite,
  haveSamePath,
  haveSameTail,
  isWebHost,
  parseScriptAddress,
  type ScriptAddress,
} from "../scripts/script-address.ts";
import type { MatchMarks, UnmappedReason } from "./resolution.ts";

/** The facts of a report about the script of a frame. */
export interface MapQuestion {
  readonly file: string;
  /** The debug ids that the sender named for the script, none of which has a map. */
  readonly debugIds: readonly string[];
  readonly release?: string | undefined;
  readonly dist?: string | undefined;
  /** The host of the page (`getPageHost`); undefined if the report names no page. */
  readonly pageHost?: string | undefined;
  /** When the error occurred, Unix ms. */
  readonly atMs?: number | undefined;
}

/** An uploaded script, or a map whose script was not uploaded. */
export interface UploadedFile {
  readonly kind: "script" | "map" | "source";
  readonly url: string;
  /** The number of the upload, and when it arrived, Unix ms. */
  readonly upload: number;
  readonly uploadedMs: number;
  readonly release?: string;
  readonly dist?: string;
  readonly debugId?: string;
  readonly mapHash?: string;
}

/** The files of one build with their marks, best first; or why there are none. */
export type Selection<File> =
  | { readonly files: readonly File[]; readonly marks: MatchMarks }
  | UnmappedReason
  | undefined;

/**
 * The files of the report's release at the URL of the script. `files` are those of this release,
 * newest upload first. `isUploadHost` tells whether an upload names a host. Undefined if none has
 * this URL.
 */
export function selectByUrl<File extends UploadedFile>(
  question: MapQuestion,
  files: readonly File[],
  isUploadHost: (host: string) => boolean,
): Selection<File> {
  const { debugIds } = question;
  const { files: placed, otherHost } = selectPlaced(question, files, isUploadHost);
  if (placed.length === 0) return undefined;
  // A file with another id is another build.
  const own = debugIds.length === 0 ? placed : placed.filter((one) => one.debugId === undefined);
  const [debugId] = debugIds;
  const uploadedId = placed[0]?.debugId;
  if (own.length === 0 && debugId !== undefined && uploadedId !== undefined)
    return { reason: "other-debug-id", debugId, uploadedId };
  const ofDist = selectDist(question, own);
  if ("reason" in ofDist) return ofDist;
  const marks: MatchMarks = {
    matchedBy: "release",
    ...ofDist.marks,
    unknownDebugId: debugId,
    otherHost,
  };
  return selectBuild(ofDist.files, marks, question.atMs);
}

/**
 * The files at the URL of the script, of any dist. `otherHost` is its host if an upload for any
 * host has it, and it is not that of the page, or no page is known.
 */
export function selectPlaced<File extends UploadedFile>(
  { file, pageHost }: MapQuestion,
  files: readonly File[],
  isUploadHost: (host: string) => boolean,
): { readonly files: readonly File[] } & Pick<MatchMarks, "otherHost"> {
  const address = parseScriptAddress(file);
  const { host } = address;
  const atPath = files
    .map((one) => ({ one, own: parseUploadedAddress(one) }))
    .filter(({ own }) => haveSamePath(own, address) && fitsQuery(own, address));
  const listOf = (of: string | undefined) => {
    const placed = atPath.filter(({ own }) => own.host === of);
    const exact = placed.filter(({ own }) => own.query === address.query);
    return (exact.length > 0 ? exact : placed).map(({ one }) => one);
  };
  const anyHost = listOf(undefined);
  if (host === undefined) return { files: anyHost };
  const atHost = listOf(host);
  if (atHost.length > 0) return { files: atHost };
  if (host === pageHost || anyHost.length === 0) return { files: anyHost };
  const isServed = mayServe(host, address, pageHost) && !isUploadHost(host);
  return isServed ? { files: anyHost, otherHost: host } : { files: [] };
}

/**
 * True if no page is known, or if a host that is not the page's may serve the files of `~/…`: a CDN
 * or a subdomain. A script of another site can have the same path, but not the same hash of its
 * content.
 */
function mayServe(host: string, { segments }: ScriptAddress, pageHost?: string): boolean {
  if (!isWebHost(host) || pageHost === undefined) return isWebHost(host);
  return areOfOneSite(host, pageHost) || hasContentHash(segments.at(-1));
}

/**
 * The files with the name of the script. `files` are those of the report's release or, if it names
 * none, of uploads without one; `listNamesakes` lists those of all releases. Both are newest first.
 * `isOwnHost` tells whether a page of the project or an upload has a host. Undefined if the name
 * alone does not suffice.
 */
export function selectByName<File extends UploadedFile>(
  question: MapQuestion,
  files: readonly File[],
  listNamesakes: () => readonly File[],
  isOwnHost: (host: string) => boolean,
): Selection<File> {
  const { file, release, pageHost } = question;
  const address = parseScriptAddress(file);
  const { host } = address;
  const isHashed = hasContentHash(address.segments.at(-1) ?? "");
  const isPath = host === undefined;
  if (!isHashed && (!isPath || release === undefined)) return undefined;
  if (!isPath && host !== pageHost && !isOwnHost(host)) return undefined;
  const named = isPath
    ? files.filter((one) => haveSameTail(parseUploadedAddress(one), address, TAIL_SEGMENTS))
    : files;
  // A file on a disk is not the one that a host serves.
  const candidates = named.filter((one) => !isPath || !parseUploadedAddress(one).host);
  if (candidates.length === 0 || (isPath && !areOneScript(named))) return undefined;
  const ofDist = selectDist(question, candidates);
  if ("reason" in ofDist) return ofDist;
  const rivals = isPath ? ofDist.files : listNamesakes();
  if (countMaps(rivals) !== 1) return undefined;
  return { files: ofDist.files, marks: { matchedBy: "name", ...ofDist.marks } };
}

/** True if all files have the same address, or the same map. A script without one is another. */
function areOneScript(files: readonly UploadedFile[]): boolean {
  const paths = new Set(
    files.map(parseUploadedAddress).map(({ host = "", segments }) => [host, ...segments].join("/")),
  );
  const hasMaps = files.every(({ mapHash }) => mapHash !== undefined);
  return paths.size === 1 || (hasMaps && countMaps(files) === 1);
}

/** The folder and the name: what remains of a path on a server, in an app or on a disk. */
const TAIL_SEGMENTS = 2;

/** The URL of the script, also of a map whose script was not uploaded. */
function parseUploadedAddress({ kind, url }: UploadedFile): ScriptAddress {
  return parseScriptAddress(kind === "map" ? url.replace(/\.map(?=$|[?#])/i, "") : url);
}

/** An upload with a query is of the build that pages load with it. */
function fitsQuery(own: ScriptAddress, address: ScriptAddress): boolean {
  return own.query === "" || address.query === "" || own.query === address.query;
}

/**
 * The files of the report's dist. If it has none, the files of the only dist, unless the report
 * names another one: that is another build, except for a name with a hash of its content.
 */
function selectDist<File extends UploadedFile>(
  { file, dist, debugIds }: MapQuestion,
  files: readonly File[],
):
  | { readonly files: readonly File[]; readonly marks: Pick<MatchMarks, "otherDist"> }
  | UnmappedReason {
  const ofDist = files.filter((one) => one.dist === dist);
  if (ofDist.length > 0) return { files: ofDist, marks: {} };
  const dists = [...new Set(files.map((one) => one.dist ?? ""))];
  const [only = ""] = dists;
  const isHashed = hasContentHash(parseScriptAddress(file).segments.at(-1));
  const isLikely = debugIds.length === 0 && (dist === undefined || isHashed);
  return dists.length === 1 && (only === "" || isLikely)
    ? { files, marks: { otherDist: only } }
    : { reason: "other-dist", dists: dists.toSorted(), dist };
}

/**
 * The files of the newest build that was uploaded before the error, else of the oldest one: a page
 * that is open since before a deploy runs the earlier build.
 */
function selectBuild<File extends UploadedFile>(
  files: readonly File[],
  marks: MatchMarks,
  atMs = Number.POSITIVE_INFINITY,
): Selection<File> {
  const chosen = files.find(({ uploadedMs }) => uploadedMs <= atMs) ?? files.at(-1);
  const builds = new Set(files.map(({ mapHash, upload }) => mapHash ?? upload)).size;
  return {
    files: files.filter(({ upload }) => upload === chosen?.upload),
    marks: { ...marks, ...(builds > 1 && { builds }) },
  };
}

/** The number of different maps. */
function countMaps(files: readonly UploadedFile[]): number {
  return new Set(files.flatMap(({ mapHash }) => mapHash ?? [])).size;
}
