/** Limits of the repositories of a project, its rules of owners, and CODEOWNERS. */
export const repositoryLimits = {
  maxRepositories: 20,
  maxUrlChars: 500,
  maxBranchChars: 200,
  /** The folder in the repository, and the prefix of frames. */
  maxFolderChars: 300,
  /** The rules of owners, as text. */
  maxRulesChars: 10_000,
  /** The names of members, as text. */
  maxHandlesChars: 10_000,
  maxRules: 200,
  /** Handles of members. */
  maxHandles: 200,
  maxHandleChars: 200,
  /** CODEOWNERS: the bytes of a file, and the files, one for each repository. */
  maxCodeOwnersBytes: 64 * 1024,
  maxCodeOwnersFiles: 5,
  /** Owners that one line of it names. */
  maxOwnersPerRule: 20,
  maxPathChars: 300,
} as const;
