/** What the alert sender (`store/alerts/alert-sender.ts`) tells pages and takes from them. */
import type { AlertedIssue, AlertMessage, MessageAction } from "../alerts/alert-message.ts";
import type { DeliveryResult } from "../alerts/destinations/delivery-result.ts";
import type { DestinationSummary } from "../alerts/destinations/destinations.ts";
import type { Notice } from "../alerts/notice.ts";
import type { AlertRule } from "../alerts/rule.ts";
import type { AlertTriggerKind } from "../alerts/triggers/triggers.ts";
import type { Digest } from "../report.ts";

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
  /** `ignore` is the former name of `snooze`, in messages of an earlier release. */
  readonly action: MessageAction | "ignore";
  readonly digest: Digest;
  /** When the link expires, ms. */
  readonly untilMs: number;
  readonly signature: string;
}

/** The marks of alerts in the header of every page and in the inbox. */
export interface AlertMarks {
  /** How many alerts of the project the person has not read, from joining on. */
  readonly unread: number;
  /** The same of what concerns the person. */
  readonly unreadNotices: number;
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

/** The request of a visitor: Errata sends one mail to `address` when the error is fixed. */
export interface VisitorRequest {
  /** The code of the receipt. */
  readonly digest: Digest;
  readonly issue: Digest;
  readonly address: string;
  /** The visitor's network; absent on a local server. */
  readonly network?: string | undefined;
  /** The language of the mails (ISO 639-1). */
  readonly language: string;
  /** The path of the receipt, and the origin of the request. */
  readonly path: string;
  readonly origin: string;
}

/** Whether the visitor of a link has confirmed the address. */
export type VisitorLinkState = "asked" | "confirmed";

/** The link of the mail to a visitor: `/e/7F3K-Q2M9/confirm?token=…`. */
export interface VisitorLink {
  readonly digest: Digest;
  readonly token: string;
}

/** Who reads an inbox. */
export interface InboxReader {
  /** The name by which issues are assigned to the person; absent if they cannot be. */
  readonly name?: string | undefined;
  /** When the person joined: what came before is read. */
  readonly sinceMs: number;
}

/** What concerns a person, newest first. */
export interface PersonalNotice extends Omit<Notice, "to" | "comment"> {
  readonly id: string;
  readonly atMs: number;
  readonly isUnread: boolean;
  readonly issue: AlertedIssue;
  /** The text of the comment, unless it was deleted. */
  readonly comment?: string | undefined;
}

export interface AlertInbox extends AlertMarks {
  readonly messages: readonly AlertMessage[];
  /** Without those about erased issues. */
  readonly notices: readonly PersonalNotice[];
}
