// The names of the cases of `source-maps.ts`, which is loaded only if one is chosen.

export const SOURCE_MAP_CASES = [
  "stack-small",
  "stack-26mb",
  "convert-26mb",
  "upload-64mb",
] as const;
export type SourceMapCase = (typeof SOURCE_MAP_CASES)[number];
