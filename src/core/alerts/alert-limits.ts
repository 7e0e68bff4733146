/** Limits of alerts. */
export const alertLimits = {
  /** Rules and destinations of a project. */
  maxRules: 50,
  maxDestinations: 100,
  /** Destinations of one person in a project, and of all people. */
  maxOwnDestinations: 10,
  maxDestinationsOfPersons: 300,
  /** Tests of a project within `testWindowMs`: each is an email or a request to a service. */
  maxTests: 20,
  testWindowMs: 10 * 60_000,
  /** Mails that ask to confirm an address: to one address in an hour, and of a project in a day. */
  maxConfirmationsOfAddress: 1,
  maxConfirmations: 20,
  /** Characters of an email address: RFC 5321 § 4.5.3.1.3. */
  maxAddressChars: 254,
  /** How long the link of such a mail is valid. */
  confirmationMs: 3 * 86_400_000,
  /**
   * Visitors whom Errata will tell that an error is fixed, with those who have not confirmed their
   * address yet: of an issue and of a project.
   */
  maxVisitorsOfIssue: 200,
  maxVisitors: 1_000,
  /** Their requests in a day: of a project, from one network, and for one address. */
  maxVisitorRequests: 100,
  maxVisitorRequestsOfNetwork: 10,
  maxVisitorRequestsOfAddress: 3,
  /** How long the link of such a request is valid, and how long a confirmed visitor waits. */
  visitorLinkMs: 86_400_000,
  visitorWaitMs: 90 * 86_400_000,
  /** How often the fixes that visitors wait for are looked at. */
  lookAtFixesMs: 600_000,
  /** Mails to visitors in one alarm, of each kind, and the attempts of one that was refused. */
  maxVisitorMailsPerAlarm: 8,
  maxVisitorMailAttempts: 5,
  /** Characters of the name of a rule or destination. */
  maxNameChars: 80,
  /** Triggers and destinations of one rule. */
  maxTriggers: 12,
  /** Recipients of one email destination; the service takes 50. */
  maxRecipients: 20,
  /** Characters of a URL, an address, a token or a key of a destination. */
  maxTargetChars: 2_000,
  minCoolDownMs: 0,
  maxCoolDownMs: 30 * 86_400_000,
  defaultCoolDownMs: 3_600_000,
  /** Reports of errors that occurred this long before they were received cause no alerts. */
  maxReportAgeMs: 3_600_000,
  /** Alerts about public reports within an hour, by `PublicLimit`. */
  maxPublicAlertsPerHour: 20,
  /** How long alerts above that limit are gathered for one message; it is sent once an hour. */
  gatherPublicMs: 120_000,
  /** How often floods are looked at for another message about them. */
  lookAtFloodsMs: 600_000,
  /** An issue that grows this soon after an alert is in a burst: its next alert waits a moment. */
  burstMs: 60_000,
  settleMs: 3_000,
  /** Messages in the delivery log, and alerts in the log of held-back alerts. */
  keptMessages: 200,
  /** Messages that the inbox keeps, by trust level: 200 in all. */
  keptMessagesByTrust: { server: 100, page: 50, public: 50 },
  /** What a member was told personally; older rows are deleted after 90 days. */
  keptNotices: 100,
  /** Undelivered messages that are kept for *Send again*. */
  keptUndelivered: 200,
  /** Calls to destinations in one alarm: the free plan allows 50 requests per invocation. */
  maxCallsPerAlarm: 40,
  /** Calls at the same time to destinations whose last call took `slowMs` or more and failed. */
  maxSlowCalls: 2,
  slowMs: 5_000,
  /** Messages that a destination may receive at once, and the time until the next one. */
  burst: 10,
  refillMs: 20_000,
  /** The shortest time from the start of one call to a destination to the start of the next. */
  paceMs: 400,
  /** A destination without a success for this long is disabled. */
  maxFailingMs: 3 * 86_400_000,
  /** A service that refuses every message with the same status for this long is disabled. */
  maxRefusingMs: 3_600_000,
  /** Attempts of a message that the destination answers with a redirect. */
  maxRedirectAttempts: 3,
  /** The longest pause that Errata grants a service that asks for one: chats, and others. */
  maxChatPauseMs: 15 * 60_000,
  maxPauseMs: 3_600_000,
  /** How often a success of other messages repeats a message that waits before its time. */
  maxReleases: 3,
  /** Alerts that the summary after *Enable* names; it counts the others. */
  keptMissed: 100,
  /** How long the secret before a rotation signs too. */
  rotationMs: 86_400_000,
  /** How long a link that changes an issue is valid. */
  actionLinkMs: 7 * 86_400_000,
  /** People with preferences. */
  maxPreferences: 500,
  /** Settings of a project as JSON: one SQLite row, which may have 2 MB. */
  maxSettingsBytes: 1_500_000,
} as const;
