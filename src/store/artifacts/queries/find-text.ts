/**
 * Finds and erases a text in the data of uploads: for erasing the data of a person. Synchronous.
 */
import { isOwnRelease } from "../../../core/release/own-release.ts";
import type { ByteRange } from "../../../core/symbolication/codec.ts";
import { openCompactMap } from "../../../core/symbolication/compact-map.ts";
import { containsText, createTextTest, redactText } from "../../redact-text.ts";
import type { ArtifactTables } from "../tables/artifact-tables.ts";
import { rawDeflate } from "../tables/raw-deflate.ts";

/** The ids of some uploads, and where to continue; absent at the end. */
export interface FoundUploads {
  readonly uploads: readonly string[];
  readonly next?: string;
}

/** Stored bytes of maps that are searched in one turn: about half a second of CPU. */
const MAX_BYTES_PER_PART = 4 * 1024 * 1024;

/**
 * The uploads with a text, without those of Errata's own builds, whose sample data has names and
 * addresses of nobody: first those whose own words or files have it, then those of the next
 * maps after `cursor`.
 */
export function findUploads(
  tables: ArtifactTables,
  text: string,
  cursor: string | undefined,
): FoundUploads {
  if (cursor === undefined) return { uploads: findByFacts(tables, text), next: "" };
  const hasText = createTextTest(text);
  const numbers = new Set<number>();
  let next: string | undefined = cursor;
  for (let bytes = 0; bytes < MAX_BYTES_PER_PART; ) {
    next = tables.maps.getNextHash(next);
    if (next === undefined) break;
    const range = tables.maps.open(next);
    if (range === undefined) continue;
    bytes += range.length;
    if (!hasMapText(range, hasText)) continue;
    for (const n of tables.files.listUploadsOf(next)) numbers.add(n);
  }
  const uploads = [...numbers].flatMap((n) => {
    const upload = tables.uploads.get(n);
    return upload === undefined || isOwnRelease(upload.release) ? [] : upload.id;
  });
  return { uploads, next };
}

function hasMapText(range: ByteRange, hasText: (text: string) => boolean): boolean {
  for (const text of openCompactMap(range, rawDeflate)?.listTexts() ?? [])
    if (hasText(text)) return true;
  return false;
}

function findByFacts(tables: ArtifactTables, text: string): readonly string[] {
  const hasText = createTextTest(text);
  return tables.uploads
    .list()
    .filter(({ n, release, dist, tool, name, url, problem, chunks }) => {
      if (isOwnRelease(release)) return false;
      if (containsText([release, dist, tool, name, url, problem], text)) return true;
      const hasFile = tables.files
        .list(n)
        .some((file) => containsText([file.url, file.mapUrl, file.refusal, file.problems], text));
      // Files without their pair are kept as they were sent.
      return hasFile || chunks.some((sha1) => hasChunkText(tables, sha1, hasText));
    })
    .map(({ id }) => id);
}

function hasChunkText(
  { chunks }: ArtifactTables,
  sha1: string,
  hasText: (text: string) => boolean,
): boolean {
  return chunks.getSize(sha1) !== undefined && hasText(new TextDecoder().decode(chunks.read(sha1)));
}

/**
 * Replaces a text in the facts of releases, with its authors and messages of commits, and in the
 * failures of uploads. Releases whose version has it and hosts that have it are deleted. True if KV
 * lacks the change.
 */
export function eraseFromReleaseFacts(tables: ArtifactTables, text: string): boolean {
  let isChanged = false;
  tables.transaction(() => {
    tables.failures.change((detail) => redactText(detail, text));
    tables.pageHosts.eraseText((host) => containsText(host, text));
    for (const facts of tables.releases.list()) {
      if (!containsText(facts, text)) continue;
      isChanged = true;
      if (containsText(facts.version, text)) tables.releases.delete(facts.version);
      else tables.releases.put(redactText(facts, text));
    }
  });
  return isChanged;
}
