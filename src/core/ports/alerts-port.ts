/** The port to alerts of a project. `store/alerts/alert-sender.ts` implements it. */
import type { AlertMessage } from "../alerts/alert-message.ts";
import type { DeliveryResult } from "../alerts/delivery-result.ts";
import type { Destination, DestinationSummary } from "../alerts/destination.ts";
import type { SummaryChoice } from "../alerts/periods/summary-period.ts";
import type { AlertFailure, AlertPreferences } from "../alerts/preferences.ts";
import type { AlertRule, AlertTriggerKind } from "../alerts/rule.ts";
import type { Digest } from "../report.ts";
import type { Result } from "../result.ts";

/** The alerts of a project. All methods reject while the object is unavailable. */
export interface AlertStore {
  readSettings(): Promise<AlertSettings>;
  /**
   * Creates or replaces a rule. `origin` is the request's. Links in messages use it unless
   * `ERRATA_URL` is set.
   */
  saveRule(rule: AlertRule, origin: string): Promise<Result<void, AlertFailure>>;
  deleteRule(id: string): Promise<void>;
  /** Creates or replaces a destination and enables it. `origin`: see `saveRule`. */
  saveDestination(destination: Destination, origin: string): Promise<Result<void, AlertFailure>>;
  /** Deletes a destination. With `undoId`, it can be restored for `limits.undoRemovalMs`. */
  deleteDestination(id: string, undoId?: string): Promise<void>;
  /**
   * Restores a destination of `person`, or of the project, with its secrets, its messages and its
   * place in rules. False if it is too late, or if others have taken its place.
   */
  restoreDestination(undoId: string, person?: string): Promise<boolean>;
  /** Enables a destination of `person`, or of the project. False if there is none. */
  enableDestination(id: string, person?: string): Promise<boolean>;
  /**
   * Sets how often a destination of `person`, or of the project, gets a summary. False if there is
   * none, or its kind gets no summaries.
   */
  setSummary(id: string, every: SummaryChoice, person?: string): Promise<boolean>;
  /**
   * Replaces the secret of a webhook of the project; for a day, both sign. False if there is none.
   */
  rotateSecret(id: string, secret: string): Promise<boolean>;
  /** Sets the GitHub repository: `owner/name` or its URL; an empty text removes it. */
  saveRepository(text: string, origin: string): Promise<Result<void, AlertFailure>>;
  /**
   * Sends a test message like any other message and waits for its first attempt. Null for an
   * unknown destination; `too-many` above `alertLimits.maxTests`.
   */
  sendTest(destination: string): Promise<DeliveryResult | "too-many" | null>;
  /** The last attempts, newest first. */
  listDeliveries(): Promise<readonly DeliveryAttempt[]>;
  /** The last alerts without a message, and the reason, newest first. */
  listHeldBack(): Promise<readonly HeldBackAlert[]>;
  /**
   * Queues an undelivered message again, or sends one that waits after a failure. False if it is no
   * longer known.
   */
  sendAgain(message: string): Promise<boolean>;
  /** Sends everything that waits for a destination after a failure. False for an unknown one. */
  sendWaiting(destination: string): Promise<boolean>;
  /** The newest messages for the desk, and the marks of a person. */
  readInbox(person: string): Promise<AlertInbox>;
  /** The marks of alerts on every page. */
  readMarks(person: string): Promise<AlertMarks>;
  /** Marks all messages up to `upTo` as read. */
  markRead(person: string, upTo: string): Promise<void>;
  /** True if a link of a message asks for this action (`AlertedIssue.links`) and is still valid. */
  verifyAction(action: SignedAction): Promise<boolean>;
  /** True if the link of a confirmation mail is valid. */
  verifyAddress(link: SignedAddress): Promise<boolean>;
  /** Confirms the address of a valid link, which gets alerts from now on. False for another one. */
  confirmAddress(link: SignedAddress): Promise<boolean>;
  /** Deletes the destinations and preferences of a person who is no longer a member. */
  removePerson(person: string): Promise<void>;
  readPreferences(person: string): Promise<AlertPreferences>;
  savePreferences(person: string, preferences: AlertPreferences): Promise<void>;
}

export interface AlertSettings {
  readonly rules: readonly AlertRule[];
  readonly destinations: readonly DestinationSummary[];
  /** The public key for push subscriptions (RFC 8292), base64url. */
  readonly pushKey: string;
  /** The origin of links in messages; absent until it is known. */
  readonly origin?: string;
  /** The GitHub repository for prefilled issues: `owner/name`. */
  readonly repository?: string;
  readonly health: AlertHealth;
}

/** The health of delivery, as `/status` shows it. */
export interface AlertHealth {
  readonly waiting: number;
  readonly undelivered: number;
  readonly delivered: number;
  /**
   * From the report's acknowledgement to delivery, of the last deliveries, ms. A message of several
   * alerts counts from the first one; hours in which none is allowed do not count.
   */
  readonly delayP50Ms?: number;
  readonly delayP99Ms?: number;
  readonly oldestWaitingMs?: number;
}

/** One attempt in the delivery log. */
export interface DeliveryAttempt {
  readonly atMs: number;
  readonly message: string;
  readonly title: string;
  readonly digest?: Digest;
  readonly destination: string;
  readonly attempt: number;
  readonly result: DeliveryResult["kind"];
  readonly status?: number;
  readonly answer?: string;
  readonly durationMs: number;
  /** When the next attempt is due. */
  readonly nextMs?: number;
}

/** An alert without a message. */
export interface HeldBackAlert {
  readonly atMs: number;
  readonly trigger: AlertTriggerKind;
  readonly digest?: Digest;
  /** A sentence: `“New issues”: no further alerts about this issue until 14:02 UTC.` */
  readonly reason: string;
}

/** The query of an action link: `/alerts/act?action=resolve&digest=…&until=…&signature=…`. */
export interface SignedAction {
  /** `ignore` is for an hour. */
  readonly action: "resolve" | "ignore" | "assign";
  readonly digest: Digest;
  /** When the link expires, ms. */
  readonly untilMs: number;
  readonly signature: string;
}

/** The marks of alerts in the header of every page and in the inbox. */
export interface AlertMarks {
  /** How many messages of the inbox the person has not read. */
  readonly unread: number;
  /** True if a destination of the project or of the person does not receive its messages. */
  readonly isFailing: boolean;
}

/** The query of a confirmation link: `/alerts/confirm-email?address=…&until=…&signature=…`. */
export interface SignedAddress {
  readonly address: string;
  /** When the link expires, ms. */
  readonly untilMs: number;
  readonly signature: string;
}

export interface AlertInbox extends AlertMarks {
  readonly messages: readonly AlertMessage[];
}
