/** Uploads in chunks: the options for tools, the chunks, and their bundles. */
import { toOrganization } from "../../core/accounts/upload-token.ts";
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { asArray, asText, type JsonFields } from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type { BundleToAssemble } from "../../core/ports/source-maps-port.ts";
import { truncateOneLine } from "../../core/truncate.ts";
import { SENTRY_API_PATH } from "./sentry-route.ts";
import { readUserAgentProduct } from "./upload-access.ts";

/**
 * How tools upload. The address is the request's: a wrong configured address would send the chunks
 * elsewhere.
 */
export function createUploadOptions(origin: string) {
  return {
    url: `${origin}${SENTRY_API_PATH}/organizations/${toOrganization(origin)}/chunk-upload/`,
    chunkSize: artifactLimits.chunkBytes,
    chunksPerRequest: artifactLimits.chunksPerRequest,
    maxRequestSize: artifactLimits.chunkBytes * artifactLimits.chunksPerRequest,
    maxFileSize: artifactLimits.maxBundleBytes,
    maxWait: 60,
    concurrency: 2,
    hashAlgorithm: "sha1",
    compression: ["gzip"],
    accept: ["release_files", "artifact_bundles", "artifact_bundles_v2"],
  };
}

/** The bundle that a body asks to assemble; null if its checksums are not SHA-1. */
export function decodeBundle(
  body: JsonFields,
  userAgent: string,
  sender: string,
): BundleToAssemble | null {
  const checksum = decodeSha1(body.checksum);
  const chunks = (asArray(body.chunks) ?? []).map(decodeSha1);
  if (checksum === undefined || !chunks.every((chunk) => chunk !== undefined)) return null;
  if (chunks.length > MAX_CHUNKS) return null;
  return {
    checksum,
    chunks,
    sender,
    release: truncateOneLine(asText(body.version), limits.maxReleaseChars),
    dist: truncateOneLine(asText(body.dist), limits.maxReleaseChars),
    tool: readUserAgentProduct(userAgent),
  };
}

const MAX_CHUNKS = Math.ceil(artifactLimits.maxBundleBytes / artifactLimits.chunkBytes);

function decodeSha1(value: unknown): string | undefined {
  return typeof value === "string" && /^[0-9a-f]{40}$/i.test(value)
    ? value.toLowerCase()
    : undefined;
}
