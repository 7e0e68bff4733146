/**
 * All limits on input and stored data. Bytes are bytes on the wire; characters are UTF-16 code
 * units. A limit marked "truncates" keeps the rest, and the report lists the truncated part (except
 * headers, aliases and source lines). All other limits reject the input with a 4xx response that
 * states what was expected. Where a real client depends on a value it follows Sentry's published
 * limits (develop.sentry.dev › envelopes › size limits).
 */
export const limits = {
  /**
   * Body of one request, as sent. Browsers limit `keepalive` requests to 64 KiB; server SDKs send
   * up to 1 MiB.
   */
  maxBodyBytes: 2 * 1024 * 1024,
  /** Body after decompression, counted while it inflates, which stops zip bombs. */
  maxInflatedBytes: 8 * 1024 * 1024,
  /** Items in one envelope. */
  maxItems: 100,
  /** Reports in one Reporting API upload. A browser batches the reports of a page for a minute. */
  maxReportsPerUpload: 100,
  /**
   * Reports from one network that a page token raises to trust `page`, per minute in each location
   * of the platform (the rate of PAGE_TOKEN_LIMIT). The browser reporter sends at most ten for each
   * page view.
   */
  maxPageTokenReports: 20,
  /** Log records or spans in one OTLP request. A collector's default batch is 8,192. */
  maxOtlpItems: 10_000,
  /**
   * Reports stored from one OTLP request or one delivery of tail events: the first ones. The others
   * are dropped as over-count. The batch size of the OpenTelemetry SDKs is 512.
   */
  maxReportsPerBatch: 512,
  /**
   * Reports stored from one body with a public key. The others are dropped as over-count, which
   * only OTLP can have.
   */
  maxReportsPerPublicBody: 100,
  /** Reports stored from one body without a key. The others are dropped as over-count. */
  maxReportsPerKeylessBody: 20,
  /** Body without a key, after decompression. */
  maxKeylessBodyBytes: 1024 * 1024,
  /**
   * Without a server key, rate limits count a body at least once per this many bytes: large reports
   * cost more than small ones.
   */
  bytesPerCountedReport: 32 * 1024,
  /** The maximum that rate limits count for one body. Each count is a call to the platform. */
  maxCountedReportsPerBody: 256,
  /**
   * Reports in one call to the log. The largest reports together stay below the 32 MiB limit of one
   * RPC.
   */
  maxReportsPerAppend: 100,
  /** One JSON payload (an envelope item, a report). Only the larger item is rejected. */
  maxItemBytes: 1024 * 1024,
  /** One header line of an envelope. The SDKs' own are under 1 KiB. */
  maxHeaderBytes: 16 * 1024,
  /**
   * Nesting of JSON or protobuf; deeper input is rejected. SDKs normalize to a depth of 10 or less.
   */
  maxParsedDepth: 100,
  /**
   * Objects and arrays of JSON, or messages of protobuf; input with more is rejected. Each takes
   * about 60 bytes of memory.
   */
  maxParsedContainers: 500_000,
  /** Nesting of arbitrary JSON that is stored (truncates). */
  maxDepth: 8,
  /** Members of one array or object of arbitrary JSON (truncates). */
  maxMembers: 100,
  /** Values of arbitrary JSON, all levels together (truncates). */
  maxValues: 10_000,
  /** An error's name (truncates). */
  maxTypeChars: 200,
  /** An error's message (truncates). */
  maxMessageChars: 8_000,
  /** A stack as text, before parsing (truncates). */
  maxStackChars: 32_000,
  /**
   * The same text while it is parsed (truncates the middle). A chain of causes in Java may be
   * longer than the stored text, and its end names the first cause.
   */
  maxParsedStackChars: 128_000,
  /** Lines of this text (truncates the middle). Each is compared with the formats of runtimes. */
  maxParsedStackLines: 4_000,
  /** A component stack (truncates). */
  maxComponentStackChars: 8_000,
  /** Any other string: a URL, a header, a tag, a frame's function (truncates). */
  maxStringChars: 2_000,
  /** Frames of one stack (truncates the middle). Sentry SDKs send 50. */
  maxFrames: 100,
  /**
   * Source lines before and after a frame's own line (truncates, the nearest are kept). Sentry SDKs
   * send 5.
   */
  maxSourceLines: 5,
  /** Lines before and after the line of a frame, in one read of its source. */
  maxReadSourceLines: 100,
  /** A line of a resolved frame's source (truncates around the column). Sentry cuts at 140. */
  maxSourceLineChars: 150,
  /** Local variables of one frame, and members of each value (truncates). */
  maxVars: 30,
  /** Nesting of one local variable (truncates). Sentry SDKs send 3 to 5. */
  maxVarsDepth: 5,
  /** Values of all local variables of one frame, all levels together (truncates). */
  maxVarsValues: 200,
  /** A string in a local variable (truncates). Sentry SDKs send 1,024. */
  maxVarsChars: 500,
  /** Debug ids that one body of Next.js names (truncates). */
  maxDebugIds: 2_000,
  /** Causes and members of one error: the nearest, and the innermost cause (truncates). */
  maxCauses: 8,
  /** Parts of a grouping key that are stored for display, and their length (truncates). */
  maxStoredKeyParts: 30,
  maxStoredKeyPartChars: 300,
  /** Functions in the part `stack` of a key: the newest. */
  framesPerStackPart: 5,
  /** Digests of one project that are split by stack. */
  maxSplitDigests: 100,
  /** Request headers that are stored (truncates). */
  maxHeaders: 40,
  /** Tags of one report (truncates). */
  maxTags: 50,
  /** Breadcrumbs of one report: the newest (truncates). */
  maxBreadcrumbs: 100,
  /** A foreign code. Longer text is not a code. */
  maxAliasChars: 100,
  /** Aliases of one report (truncates). */
  maxAliasesPerReport: 8,
  /** Issues that one alias leads to: the newest. Any sender can point a code at many issues. */
  maxIssuesPerAlias: 20,
  /** Aliases of one issue: the newest. */
  maxAliasesPerIssue: 50,
  /** Attachments of one report with contents. The others are listed, and dropped as over-count. */
  maxAttachments: 10,
  /**
   * All attachments of one report as stored, base64 or text. An attachment that does not fit is
   * stored by name, without its contents.
   */
  maxAttachmentsBytes: 512 * 1024,
  /**
   * Reports of one body whose `aboutEventId` is looked up. An SDK sends one. Feedback above the
   * limit gets a separate issue.
   */
  maxAboutEventsPerBody: 5,
  /** One part of a counter's name: a release, an item's type (truncates). */
  maxCounterPartChars: 100,
  /** Distinct counter names of one body. Further names count as "other". */
  maxCounterNamesPerBody: 100,
  /**
   * Distinct counter names of one body without a server key. An SDK in a browser sends one session
   * at a time.
   */
  maxBrowserCounterNamesPerBody: 10,
  /** The highest count of one item without a server key. Higher counts are scaled down. */
  maxBrowserCountPerItem: 100,
  /** Counters in one line of the log. */
  maxCountersPerLine: 200,
  /** Minutes of one sessions item, or counts of one client report (truncates). */
  maxCountersPerItem: 100,
  /** Value of one count that a sender reports (truncates). */
  maxCount: 10_000_000,
  /**
   * Distinct counter names of one day with the same first part, of sessions per trust level.
   * Further names count as "other".
   */
  maxCounterNamesPerDay: 2_000,
  /**
   * One stored report as JSON, without attachments. A report that is larger after all other limits
   * loses its detail and breadcrumbs first.
   */
  maxReportBytes: 256 * 1024,
  /**
   * Full reports that a shard stores per issue at the start of each hour. Further reports are
   * counted exactly and sampled (`sampleIntervalMs`).
   */
  sampledReportsPerHour: 20,
  /** The interval of sampling: one full report each, so at most 140 an hour per issue and shard. */
  sampleIntervalMs: 30_000,
  /**
   * Bodies of public reports that a shard stores per hour, of all issues together, and the same
   * number for feedback and notices. Further public reports are counted in rollups.
   */
  maxPublicBodiesPerHour: 1_000,
  /**
   * Different rollups of public reports per shard and hour. Further reports are counted in the
   * issue "Other anonymous reports".
   */
  maxPublicRollupsPerHour: 5_000,
  /**
   * Characters of the public bodies per shard and hour, and the same number for feedback and
   * notices.
   */
  maxPublicBodyCharsPerHour: 20_000_000,
  /**
   * Bodies of page reports of all kinds that a shard stores per hour, and their characters: a
   * visitor of signed pages can get any number of page tokens. Busy sites stay below these limits,
   * because each issue stores at most 140 bodies an hour.
   */
  maxPageBodiesPerHour: 5_000,
  maxPageBodyCharsPerHour: 100_000_000,
  /**
   * Characters of the rollup lines of public reports per shard and hour, and the same of page
   * reports. A rollup takes one line in each batch. Further reports are counted in the issue "Other
   * anonymous reports".
   */
  maxPublicRollupLineChars: 100_000_000,
  maxPageRollupLineChars: 100_000_000,
  /**
   * Ids of public reports without bodies that a shard stores per hour, also of counters that count
   * once, and the same of page reports. Above the limit, only the newest ids are known, in memory.
   * These ids therefore take less than half of the space for all ids of a day.
   */
  maxPublicIdsPerHour: 30_000,
  maxPageIdsPerHour: 30_000,
  /** Text pasted into the lookup (truncates). */
  maxQueryChars: 32_768,
  /** Issues that a full-text search returns. */
  maxSearchResults: 20,
  /** Other projects that one lookup or receipt asks, in order of creation. One read each. */
  maxOtherProjects: 20,
  /** Issues that a lookup shows of each other project. */
  maxMatchesPerOtherProject: 5,
  /** Codes of one lookup that are followed, best first. Each costs a few reads. */
  maxCodesPerQuery: 10,
  /** Further texts of one lookup that may be codes. One read for all of them. */
  maxGuessesPerQuery: 150,
  /**
   * The newest reports that an issue lists and its page can step through, and the newest linked
   * reports.
   */
  latestReports: 20,
  /**
   * Releases, environments, browsers and pages of one issue that are counted by name, each. The
   * others are counted together.
   */
  topValuesPerKey: 20,
  /**
   * Tags per report that its issue counts by, and their length. Further tags are stored in the
   * report only.
   */
  tagsPerSummary: 8,
  maxSummaryTagChars: 64,
  /** The parts of a grouping key in a summary, and all their characters (truncates). */
  maxKeyParts: 12,
  maxKeyPartChars: 300,
  /** Merged issues whose grouping keys an issue shows. */
  mergedGroupingsPerIssue: 10,
  /** Frames of a stack that an issue counts its reports by, the names in it, and its length. */
  framesPerSentStack: 5,
  maxSentNameChars: 80,
  maxSentStackChars: 800,
  /** Stacks by which one issue counts. The others are counted together. */
  stacksPerIssue: 12,
  /** The newest stored reports that a stack of an issue lists. */
  reportsPerStack: 5,
  /** The newest issues whose stacks are resolved after each upload of source maps. */
  maxIssuesPerUpload: 200,
  /** The file and the function of a place in the original source (truncates). */
  maxPlaceChars: 200,
  /** Tag keys that one issue counts by. */
  tagKeysPerIssue: 8,
  /** An issue query (truncates), its filters, and the value of one filter. */
  maxIssueQueryChars: 500,
  maxIssueFilters: 20,
  /** Issues that match a query are counted up to this number. */
  maxCountedIssues: 1_000,
  /**
   * A list starts with a filter or word that at most this number of issues match, and sorts these
   * issues.
   */
  maxSortedIssues: 1_000,
  /**
   * If more issues match a filter or word, at most this number form a set, and the list keeps only
   * issues of this set.
   */
  maxIssuesInSet: 10_000,
  /**
   * Several words or values are looked up together if at most this number of issues match one of
   * them: few issues may match all.
   */
  maxJoinedIssues: 20_000,
  /** Issues of a list among which one page looks for matches. The next page continues. */
  maxScannedIssues: 5_000,
  /** The same limit, if the page must read the values or text of each issue. */
  maxTestedIssues: 1_000,
  /** Distinct values of a key in which a filter looks for a text. */
  maxReadFacetValues: 2_000,
  /** Values that contain the text of a filter. If there are more, each issue's values are read. */
  maxValuesPerFilter: 100,
  /** Values that complete what is typed. */
  suggestedValues: 20,
  /** Values shown per facet. */
  valuesPerFacet: 8,
  /** Issues that one decision may change. */
  maxIssuesPerDecision: 200,
  /** Issues that match a query and are changed together. */
  maxMatchesPerAction: 1_000,
  /** How long an action can be undone. */
  undoMs: 3_600_000,
  /** A removed token, key, invitation or destination of alerts can be restored this long. */
  undoRemovalMs: 30_000,
  /** Removed credentials that the registry remembers. */
  maxRemovedCredentials: 20,
  /** Actions of a project that can be undone. */
  maxUndoActions: 50,
  /** A comment on an issue, and the name of an assignee. */
  maxCommentChars: 4_000,
  maxAssigneeChars: 80,
  /** Activity of one issue: the newest entries. */
  maxActivityPerIssue: 200,
  /** The total size of this activity as JSON. It is stored in one row and one line of an export. */
  maxActivityChars: 300_000,
  /** Saved views of a project, and the length of their names. */
  maxSavedViews: 50,
  maxViewNameChars: 60,
  /** Events that the live page shows when it opens. */
  recentLiveEvents: 100,
  /** Live pages that are open at the same time, per project. */
  maxLiveSockets: 200,
  /** Ids of the request, and names of the person, by which a report is found. */
  maxRequestIdsPerReport: 4,
  maxPersonsPerReport: 3,
  /** Reports that an id of a request or a person leads to: the newest of each shard and day. */
  maxReportsPerCode: 20,
  /** Streams of `/api/v1/live` that a token or a person has open at the same time, per project. */
  maxLiveStreams: 5,
  /** Reports that a trace or a Ray ID leads to: the newest. */
  maxReportsPerTrace: 5,
  /** Releases that are listed: the newest. */
  maxListedReleases: 200,
  /**
   * Releases among which the listed ones are found, because releases without stored issues or
   * sessions are not listed.
   */
  maxComparedReleases: 400,
  /** Scripts of one release that are stored, to count how many have source maps. */
  scriptsPerRelease: 100,
  /** Rows of sessions by release and environment that are listed. */
  maxListedSessions: 200,
  /** CSP issues that are replayed against a candidate policy. */
  maxReplayedIssues: 500,
  /** Of those, the issues whose page URL is read from the archive. Each costs a read. */
  maxReadPages: 20,
  /** Warnings about pasted policies: the first. */
  maxPolicyWarnings: 12,
  /** Filter text of the live page (truncates). */
  maxLiveFilterChars: 200,
  /** Comma-separated policies of one dry run, and their total length. */
  maxPolicies: 10,
  maxPolicyChars: 8_000,
  /** Releases per UTC day whose first report is remembered, by trust level. */
  maxNewReleasesPerDay: { server: 500, page: 100, public: 50 },
  /**
   * New issues of public reports per UTC day, of a project and from one network. Further ones are
   * counted in the issue "Other anonymous reports".
   */
  maxNewPublicIssuesPerDay: 3_000,
  maxNewIssuesPerNetworkAndDay: 50,
  /**
   * A flood: one key sends at least this many new issues in an hour, and more than this many times
   * those of its usual hour.
   */
  minFloodIssues: 30,
  floodFactor: 10,
  /**
   * Rows that public reports may write in a UTC day: a third of the free plan's. Further reports
   * are stored in the log as always, and their counters are gathered.
   */
  maxPublicRowsPerDay: 33_000,
  /** Rows that an object writes in a UTC day to fill new columns: a fifth of the free plan's. */
  maxBackfillRowsPerDay: 20_000,
  /** Rows of gathered counters in a UTC day: seven a minute. */
  maxGatheredRowsPerDay: 10_000,
  /** New issues from many networks in a UTC day, while counters are gathered. */
  maxWideIssuesPerDay: 100,
  /** An issue from this many networks is not part of a flood. */
  minUnfoldedNetworks: 5,
  /** Networks whose reports reopen a resolved issue of a higher level. */
  minReopeningNetworks: 3,
  /** New issues of page reports per UTC day: every visitor of a signed page can send some. */
  maxNewPageIssuesPerDay: 1_000,
  /** New links between aliases and issues by public and by page reports, per UTC day. */
  maxPublicAliasesPerDay: 1_000,
  maxPageAliasesPerDay: 5_000,
  /** New filter values of issues that have only public or only page reports, per UTC day. */
  maxPublicFacetsPerDay: 20_000,
  maxPageFacetsPerDay: 50_000,
  /** A submitted form. A form may encode one character of a comment as nine bytes. */
  maxFormBytes: 40 * 1024,
  /** The body of a request to `/mcp`. */
  maxMcpBodyBytes: 64 * 1024,
  /** A result of MCP, as text and as structured content each: by default, and the range. */
  mcpResultChars: 16_000,
  minMcpResultChars: 8_000,
  maxMcpResultChars: 64_000,
  /** A comment on a receipt. */
  maxReceiptCommentChars: 2_000,
  /** The text that selects a person's data for erasure. A shorter text would match most reports. */
  minErasedTextChars: 4,
  /** A longer text would match no report. */
  maxErasedTextChars: 200,
  /**
   * The release that an issue is resolved in. Release names in report summaries are truncated to
   * the same length.
   */
  maxReleaseChars: 200,
  /** Days for which an issue can be snoozed. Without end it is archived. */
  maxSnoozedDays: 366,
  /** Occurrences or users until which an issue can be snoozed. */
  maxSnoozedCount: 10_000_000,
  /**
   * One line of an export, as sent and as stored: a report with attachments, or a rollup with its
   * ids. SQLite limits a row to 2 MB.
   */
  maxExportedLineBytes: 1_800_000,
  /** Ids in one line of an export. */
  maxIdsPerRollup: 25_000,
  /** Lines of an import that are stored together. */
  importLinesPerBatch: 100,
  /**
   * Lines in one row of the log, which the index applies in one call: most of them begin an issue,
   * which takes about a millisecond.
   */
  importLinesPerRow: 20,
  /** The total size of these lines, as sent. A longer line is stored alone. */
  importBytesPerBatch: 1024 * 1024,
  /** Blank lines of an import. A file with more is not an export. */
  maxBlankLines: 1_000,
  /** Issues in the snapshot of the newest issues. */
  newestIssues: 100,
  /** Issues on one page of a list. */
  listedIssues: 50,
  /** The newest matching issues whose values facets count. */
  facetedIssues: 500,
  /**
   * Projects, people, and the entries of each. All of it is one KV value that every location
   * caches.
   */
  maxProjects: 100,
  /** Of these, projects that only the deployer can create. */
  reservedProjects: 10,
  /** Existing projects that one person created; the deployer may create all. */
  maxProjectsPerPerson: 10,
  maxProjectNameChars: 60,
  maxKeysPerProject: 20,
  maxOriginsPerKey: 20,
  /** A scheme, a host name (RFC 1035 § 2.3.4) and a port. */
  maxOriginChars: 270,
  /** The origin of a page that contains a server key (truncates). */
  maxLeakOriginChars: 100,
  maxTokensPerProject: 50,
  /** Valid invitations to one project. */
  maxInvitations: 50,
  maxPeople: 500,
  /** Members that each project can have, even if others invite many people. */
  guaranteedPeople: 4,
  maxPersonNameChars: 60,
  /** The email address of a Cloudflare Access identity (RFC 5321 § 4.5.3.1.3). */
  maxAccessNameChars: 254,
  maxPasskeysPerPerson: 10,
  maxSessionsPerPerson: 20,
  /**
   * Sessions of all people. If there are more, the oldest session of the person with the most
   * sessions ends.
   */
  maxSessions: 1_000,
  /** The user agent that a session shows. */
  maxAgentChars: 200,
  /**
   * The registry as JSON. It is stored in one row, and SQLite limits a row to 2 MB. All guaranteed
   * shares, the pool with its reserve, and all sessions together fit into it.
   */
  maxRegistryChars: 1_800_000,
  /**
   * One project in the registry: its keys, origins, tokens, invitations and memberships; and what a
   * rotation of a key may add to it.
   */
  maxProjectChars: 36_000,
  reservedProjectChars: 12_000,
  /** The share of each project and of each person that others cannot use. */
  guaranteedProjectChars: 3_000,
  guaranteedPersonChars: 1_200,
  /**
   * The pool for everything above the guaranteed shares, and its reserve for rotated keys, passkeys
   * and recovery codes.
   */
  maxSharedChars: 350_000,
  reservedSharedChars: 80_000,
  /**
   * Entries of a project's audit log: the newest; and the length of an entry's subject and of its
   * details (truncates).
   */
  maxAuditEntries: 10_000,
  maxAuditSubjectChars: 200,
  auditEntriesPerPage: 100,
  /** Programs that one person has connected. The oldest connection ends if there are more. */
  maxGrantsPerPerson: 20,
  /** The name of a program (RFC 7591 § 2, `client_name`; truncates). */
  maxClientNameChars: 60,
  /** The address of a program's metadata, and one of its redirect URIs. */
  maxClientIdChars: 500,
  maxRedirectUriChars: 1_000,
  /** The metadata of a program, as it is sent. */
  maxClientMetadataBytes: 5 * 1024,
  /** What a program sends to the token endpoint. */
  maxOAuthBodyBytes: 16 * 1024,
  /** Devices that wait for a person, of the deployment and of one network. */
  maxWaitingDevices: 1_000,
  maxWaitingDevicesPerNetwork: 20,
  /** Unknown user codes that one person may type in the lifetime of a code. */
  maxUserCodeMisses: 10,
  /** Replaced refresh tokens that are remembered of a grant: the use of one of them ends it. */
  maxReplacedRefreshTokens: 100,
  /** A session cookie, a token or a code. Longer ones are invalid. */
  maxCredentialChars: 200,
  /** An upload token. It names the address of Errata twice, in base64. */
  maxUploadTokenChars: 1_000,
  /**
   * A passkey's response as JSON, and its credential id and key in base64url. A credential id has
   * at most 1,023 bytes (WebAuthn § 5.1.1).
   */
  maxPasskeyResponseChars: 20_000,
  maxPasskeyIdChars: 1_364,
  maxPasskeyKeyChars: 2_000,
  /** Issues with common words that a search compares: the newest. */
  comparedIssues: 100,
  /** Similar issues shown on an issue's page. */
  similarIssues: 5,
  /** Sources and names of one map. A map of 26 MB has 600 sources and 60,000 names. */
  maxSourcesPerMap: 50_000,
  maxNamesPerMap: 1_000_000,
  /** Sections of an index map. Turbopack writes one per module. */
  maxSectionsPerMap: 50_000,
  /** Segments of one line that are not in the order of their columns, and are sorted in memory. */
  maxUnsortedSegments: 1_000_000,
  /** Functions of one script that are named. A script of 5 MB has 25,000. */
  maxFunctionsPerScript: 100_000,
  /** Longer sources are not parsed for the names of their functions. */
  maxParsedSourceBytes: 500_000,
  /** Sources that one request parses, together: 1 s of CPU. The next request parses others. */
  maxParsedBytesPerRequest: 1_000_000,
  /** The name of a function or a token in a map (truncates). */
  maxNameChars: 200,
} as const;
