/** The files in which GitHub and GitLab look for owners, in the order of GitHub, then GitLab. */
export const CODE_OWNERS_PATHS = [
  ".github/CODEOWNERS",
  "CODEOWNERS",
  "docs/CODEOWNERS",
  ".gitlab/CODEOWNERS",
] as const;
