/**
 * Limits on uploaded artifacts: bundles, scripts and source maps. Errata refuses an upload or a
 * file above a limit, with a sentence that states the limit.
 */
export const artifactLimits = {
  /**
   * One chunk of a bundle, before gzip. A chunk is one row of the object, which SQLite limits to 2
   * MB. sentry-cli before 2.39.2 accepts only a power of two.
   */
  chunkBytes: 1024 * 1024,
  /** Chunks in one request. */
  chunksPerRequest: 8,
  /** The body of a request with chunks: incompressible chunks with the headers of their parts. */
  maxChunkBodyBytes: 9 * 1024 * 1024,
  /** A pause of the sender within a body. The bodies of a project are read one by one. */
  maxPauseMs: 10_000,
  /** One bundle, or one file or archive that is uploaded alone. */
  maxBundleBytes: 256 * 1024 * 1024,
  /** Chunks of a project that no finished upload has read. Unused ones are deleted after a day. */
  maxPendingBytes: 512 * 1024 * 1024,
  /** Between a script and its map that are uploaded alone, ms. */
  maxPairMs: 86_400_000,
  /** Scripts and maps that were uploaded alone. The newest wait for the other one. */
  maxUnpairedBytes: 128 * 1024 * 1024,
  maxUnpairedFiles: 200,
  /** The text of one original source in a bundle whose map has no text. */
  maxSourceFileBytes: 4 * 1024 * 1024,
  /** Bytes of files, after decompression, that one token may upload in an hour (UTC). */
  maxInflatedBytesPerHour: 4 * 1024 * 1024 * 1024,
  /** Files of one upload. */
  maxFiles: 2_000,
  /** Entries of one zip or tar. The folder of a build also contains other files. */
  maxArchiveEntries: 20_000,
  /** The central directory of a zip, or the paths in a tar: they are in memory. */
  maxArchiveDirectoryBytes: 8 * 1024 * 1024,
  /** The `manifest.json` of a bundle, after decompression. */
  maxManifestBytes: 4 * 1024 * 1024,
  /** One source map, after decompression. */
  maxMapBytes: 64 * 1024 * 1024,
  /** One script, after decompression. */
  maxScriptBytes: 16 * 1024 * 1024,
  /**
   * Scripts up to this size are parsed for the names of functions, which takes 2 s of CPU time and
   * 6 to 8 times the memory of the script.
   */
  maxParsedScriptBytes: 8_000_000,
  /** Converted maps of a project. Above it, the least recently used uploads are deleted. */
  maxStoredBytes: 2 * 1024 * 1024 * 1024,
  /** Uploads of a project. Above it, the oldest ones are deleted. */
  maxUploads: 5_000,
  /** The newest releases of a project, whose unused uploads are kept too. */
  keptReleases: 3,
  /** Uploads that are listed: the newest. */
  listedUploads: 200,
  /** Failures of uploads that the desk lists: the newest. */
  listedFailures: 50,
  /** A URL of an uploaded file, or the text of a failure (truncates). */
  maxUrlChars: 1_000,
} as const;
