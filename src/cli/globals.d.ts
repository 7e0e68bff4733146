/** The version of the package. The build inserts it. */
declare const ERRATA_CLI_VERSION: string;
/** The operations. The build inserts them. */
declare const ERRATA_OPERATIONS: import("../core/operation-facts.ts").PackedOperations;
