/** Limits on what build tools say about releases: deploys, and commits with their files. */
export const releaseLimits = {
  /** Releases with facts: the newest. In KV, they are one value, which has at most 25 MiB. */
  maxReleaseFacts: 500,
  maxReleaseFactsBytes: 16 * 1024 * 1024,
  /** The deploys and commits of each release: the newest. */
  maxDeploysPerRelease: 20,
  maxCommitsPerRelease: 100,
  /** Their texts as JSON, without files. A row has at most 2 MB, with the files and the deploys. */
  maxCommitBytesPerRelease: 256 * 1024,
  /** Issues that the commits of one call resolve. */
  maxFixesPerCall: 100,
  /** A commit's message: its first characters (truncates). The others are read for its digests. */
  maxCommitMessageChars: 300,
  maxReadMessageChars: 10_000,
  /** The body of a call that describes a release with its commits, and with CODEOWNERS as JSON. */
  maxReleaseBodyBytes: 640 * 1024,
  /** The paths of changed files: of each release, of each commit, and the longest. */
  maxFilesPerRelease: 2_000,
  maxFileBytesPerRelease: 384 * 1024,
  maxFilesPerCommit: 100,
  maxFilePathChars: 300,
  /** The newest releases, which keep the paths of changed files. */
  maxReleasesWithFiles: 20,
} as const;
