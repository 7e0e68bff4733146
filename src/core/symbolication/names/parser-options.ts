/** How the parser reads scripts and original sources. Source: acorn. */

/** Options that accept code that a bundler or a server wraps, and leave errors to compilers. */
export const PARSER_OPTIONS = {
  ecmaVersion: "latest",
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowSuperOutsideMethod: true,
  checkPrivateFields: false,
} as const;
