/**
 * Every cap on what an outsider can make Errata hold, in one place. Bytes are bytes on the wire, characters are UTF-16
 * code units. Where it says "cut", the rest is kept, and a report names the part (headers, aliases and source lines are cut
 * without a word). All other caps refuse with a 4xx that says what was expected. Values follow Sentry's published limits
 * where a real client depends on them (develop.sentry.dev › envelopes › size limits), and are otherwise what an error desk
 * can use.
 */
export const limits = {
  /** Body of one request, as sent. A browser's `keepalive` requests end at 64 KiB; server SDKs send up to 1 MiB. */
  maxBodyBytes: 2 * 1024 * 1024,
  /** Body after `Content-Encoding` is undone, counted while it inflates: a bomb is stopped here. */
  maxInflatedBytes: 8 * 1024 * 1024,
  /** Items in one envelope. */
  maxItems: 100,
  /** Reports in one Reporting API upload; the browser batches a page's reports of a minute. */
  maxReportsPerUpload: 100,
  /** Log records or spans in one OTLP request; a collector's batch is 8,192. */
  maxOtlpItems: 10_000,
  /**
   * Reports that are kept of one OTLP request or one delivery of tail events, the first of them; the others are counted as
   * over-count. The batch of the OpenTelemetry SDKs is 512.
   */
  maxReportsPerBatch: 512,
  /** Reports in one call to the log: the largest ones together stay below the 32 MiB of one RPC. */
  maxReportsPerAppend: 100,
  /** One JSON payload (an envelope's item, a report); an event larger than this is refused alone. */
  maxItemBytes: 1024 * 1024,
  /** One header line of an envelope: the SDKs' own are under 1 KiB. */
  maxHeaderBytes: 16 * 1024,
  /** Nesting of JSON or protobuf that is parsed at all; SDKs normalise to 10 and less. */
  maxParsedDepth: 100,
  /** Objects and arrays of JSON, or messages of protobuf, that are parsed at all: each holds some 60 bytes of memory. */
  maxParsedContainers: 500_000,
  /** Nesting of JSON that is kept as it came (cut below). */
  maxDepth: 8,
  /** Members of one array or object that is kept as it came (cut behind). */
  maxMembers: 100,
  /** Values in one piece of JSON that is kept as it came, all levels together (cut behind). */
  maxValues: 10_000,
  /** An error's name (cut). */
  maxTypeChars: 200,
  /** An error's message (cut). */
  maxMessageChars: 8_000,
  /** A stack as text, before it is parsed (cut). */
  maxStackChars: 32_000,
  /** A component stack (cut). */
  maxComponentStackChars: 8_000,
  /** Any other string: a URL, a header, a tag, a frame's function (cut). */
  maxStringChars: 2_000,
  /** Frames of one stack: Sentry's SDKs send 50 (cut in the middle, the ends say most). */
  maxFrames: 100,
  /** Source lines kept before and after a frame's own: Sentry's SDKs send 5 (cut, the nearest are kept). */
  maxSourceLines: 5,
  /** Causes of one error, the outermost first (cut). */
  maxCauses: 8,
  /** Headers of a request that are kept (cut). */
  maxHeaders: 40,
  /** Tags of one report (cut). */
  maxTags: 50,
  /** Breadcrumbs of one report, the newest (cut). */
  maxBreadcrumbs: 100,
  /** A foreign code (a longer one is no code). */
  maxAliasChars: 100,
  /** Codes that lead to one report's issue (cut). */
  maxAliasesPerReport: 8,
  /** Issues that one code is followed to; the newest. Anybody can make a code lead to many. */
  maxIssuesPerAlias: 20,
  /** Codes that lead to one issue; the newest win. */
  maxAliasesPerIssue: 50,
  /** Attachments of one report (the others are dropped as over-count). */
  maxAttachments: 10,
  /** All attachments of one report as they are stored, base64 or text (one that does not fit is named, without its bytes). */
  maxAttachmentsBytes: 512 * 1024,
  /** Reports of one body whose event is looked up; an SDK sends one. What people wrote beyond it is an issue of its own. */
  maxAboutEventsPerBody: 5,
  /** A word of a tally's name: a release, an item's type (cut). */
  maxCounterPartChars: 100,
  /** Different tallies of one body; what comes then counts as "other". */
  maxCounterNamesPerBody: 100,
  /** Tallies in one line of the log. */
  maxCountersPerLine: 200,
  /** Minutes of one sessions item, or numbers of one client report, that are counted (cut). */
  maxCountersPerItem: 100,
  /** Things that one number of a sender may stand for (cut). */
  maxCount: 10_000_000,
  /** Different names of one day with the same first word; what comes then counts as "other". */
  maxCounterNamesPerDay: 2_000,
  /**
   * One stored report as JSON, without its attachments. What is larger after all other cuts loses its detail and breadcrumbs.
   */
  maxReportBytes: 256 * 1024,
  /** Bodies that a shard keeps of one issue at the beginning of each hour; what comes then is counted exactly … */
  sampledReportsPerHour: 20,
  /** … and of it one body in so many milliseconds is kept: at most 140 an hour, of each issue and shard. */
  sampleIntervalMs: 30_000,
  /** What may be pasted into the lookup (cut). */
  maxQueryChars: 10_000,
  /** Issues that a search for words leads to. */
  maxSearchResults: 20,
  /** Codes that are followed from one lookup, the best first: each costs a few reads. */
  maxCodesPerQuery: 10,
  /** The newest occurrences that an issue names, and that can be stepped through on its page; and so many linked reports. */
  latestReports: 20,
  /** Releases, environments, browsers and pages of one issue that are counted by name, each; the others are the rest. */
  topValuesPerKey: 20,
  /** Tags of one report that its issue counts by (the others stand in the report alone), and their lengths. */
  tagsPerSummary: 8,
  maxSummaryTagChars: 64,
  /** Keys of tags that one issue counts by. */
  tagKeysPerIssue: 8,
  /** A query of the list of issues (cut), its filters, and what one of them looks for. */
  maxIssueQueryChars: 500,
  maxIssueFilters: 20,
  /** Issues that match a query are counted up to so many. */
  maxCountedIssues: 10_000,
  /** Values that are offered for one facet. */
  valuesPerFacet: 8,
  /** Issues that one decision may be about. */
  maxIssuesPerDecision: 200,
  /** A comment on an issue, and a name of somebody who looks after it. */
  maxCommentChars: 4_000,
  maxAssigneeChars: 80,
  /** What people did with one issue and said of it; the newest. */
  maxActivityPerIssue: 200,
  /** … and how long all of it may be as JSON: it stands in one row, and in one line of an export. */
  maxActivityChars: 300_000,
  /** Views of the list that a project keeps, and the length of their names. */
  maxSavedViews: 50,
  maxViewNameChars: 60,
  /** What arrived last, as the live page begins with it. */
  recentLiveEvents: 100,
  /** Pages of the desk that look on at what arrives, at a time: more than a team has open. */
  maxLiveSockets: 200,
  /** Reports that a trace or a Ray ID leads to, the newest. */
  maxReportsPerTrace: 5,
  /** Releases that issues are counted by; senders may make more names up. */
  maxCountedReleases: 2_000,
  /** Releases that are listed, the newest. */
  maxListedReleases: 200,
  /** Issues of policies that are replayed against a candidate. */
  maxReplayedIssues: 500,
  /** Of those, how many are asked for the page on which they happened: each is a read. */
  maxReadPages: 20,
  /** What is remarked of pasted policies, the first. */
  maxPolicyWarnings: 12,
  /** A text that arrivals are filtered by (cut). */
  maxLiveFilterChars: 200,
  /** Policies that are tried out together (a comma parts them), and how long all of them may be. */
  maxPolicies: 10,
  maxPolicyChars: 8_000,
  /** Releases that one day may add to those whose first report is remembered. */
  maxNewReleasesPerDay: 500,
  /** What a form of the desk sends. In a comment each character may take nine bytes, as a form writes them. */
  maxFormBytes: 40 * 1024,
  /** What the person with a receipt may write. */
  maxReceiptCommentChars: 2_000,
  /** The text by which a person is erased: a shorter one stands in half of all reports … */
  minErasedTextChars: 4,
  /** … and a longer one in none. */
  maxErasedTextChars: 200,
  /** The release that an issue is resolved in: reports' releases are cut to as much in what an issue counts by. */
  maxReleaseChars: 200,
  /** The longest time that an issue is ignored for; for good it is ignored without one. */
  maxIgnoredDays: 366,
  /** Occurrences that an issue may be ignored for. */
  maxIgnoredCount: 10_000_000,
  /** One line of an export, as sent and as stored: a report with its files, or a sum with its ids. SQLite takes 2 MB a row. */
  maxExportedLineBytes: 1_800_000,
  /** Ids in one line of an export. */
  maxIdsPerRollup: 25_000,
  /** Lines of an import that are stored together … */
  importLinesPerBatch: 100,
  /** … and how much of it, as sent; a longer line is stored alone. */
  importBytesPerBatch: 1024 * 1024,
  /** Lines of an import with nothing in them: more are no export. */
  maxBlankLines: 1_000,
  /** Issues in the snapshot of the newest. */
  newestIssues: 100,
  /** Issues on one page of a list … */
  listedIssues: 50,
  /** … and of those that match the newest, in which common values are looked for. */
  facetedIssues: 300,
  /** Projects, and what each has; people, and what each has. All of it is one value, which is copied to every place. */
  maxProjects: 100,
  maxProjectNameChars: 60,
  maxKeysPerProject: 20,
  maxOriginsPerKey: 20,
  /** A scheme, a name (RFC 1035 § 2.3.4) and a port. */
  maxOriginChars: 270,
  maxTokensPerProject: 50,
  /** Invitations to one project that are good at a time. */
  maxInvitations: 50,
  maxPeople: 500,
  maxPersonNameChars: 60,
  /** The address by which Cloudflare Access knows somebody (RFC 5321 § 4.5.3.1.3). */
  maxAccessNameChars: 254,
  maxPasskeysPerPerson: 10,
  maxSessionsPerPerson: 20,
  maxSessions: 2_000,
  /** What a browser calls itself, as a session shows it. */
  maxAgentChars: 200,
  /** The registry as JSON: it stands in one row, and SQLite takes 2 MB a row … */
  maxRegistryChars: 1_800_000,
  /** … of which so much is left for those who come in: nobody can lock others out by filling it. */
  reservedRegistryChars: 200_000,
  /** What was changed, as the audit log of each project keeps it, the newest; and what an entry says it was about (cut). */
  maxAuditEntries: 10_000,
  maxAuditSubjectChars: 100,
  auditEntriesPerPage: 100,
  /** A session's cookie, a token, a code: longer ones are none. */
  maxCredentialChars: 200,
  /** What a passkey answers, as JSON; its credential's id and key in base64url (WebAuthn § 5.1.1: an id has at most 1,023 bytes). */
  maxPasskeyResponseChars: 20_000,
  maxPasskeyIdChars: 1_364,
  maxPasskeyKeyChars: 2_000,
  /** Issues that are offered as similar. */
  similarIssues: 8,
} as const;
