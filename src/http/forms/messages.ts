/**
 * The messages after changes, shown once on the next page. The texts are a closed list, so a forged
 * cookie can only select a text, a count and a member of the project. Operations state their own.
 */
import { limits } from "../../core/limits.ts";
import type { Digest } from "../../core/report.ts";
import type { Message } from "../../operations/operation.ts";
import { OPERATIONS } from "../../operations/operations.ts";
import type { ShownFlash } from "../../ui/layout/flash-message.tsx";
import { formatNumber, pluralize } from "../../ui/parts/number.tsx";
import { ALERT_PREFERENCES_URL, toAlertFormUrl } from "../../ui/urls/alert-urls.ts";
import type { Failure } from "../failures.ts";

const CAN_UNDO = `You can undo this for ${limits.undoRemovalMs / 1_000} seconds.`;

const MESSAGES = {
  "not-restored": () =>
    `Not undone. That is possible for ${limits.undoRemovalMs / 1_000} seconds only.`,
  "not-assigned": () => "Not assigned. No member of this project has this name.",
  "not-created": () =>
    "Not created. The tracker refused the issue, or was removed. An owner can check it in the settings.",
  "not-linked": () => "Not linked. The issue is linked already. Unlink it first.",
  "not-linked-url": () => "Not linked. Enter the URL of an issue that begins with https://.",
  "not-split": () =>
    `Not split. A project has at most ${formatNumber(limits.maxSplitDigests)} issues split by stack.`,
  "not-stored": () => "Not saved. The settings of the projects have reached their maximum size.",
  "not-allowed": () => "No changes. You do not have permission for this.",
  "sample-loaded": (count) => `Sample data loaded: ${pluralize(count, "issue")}.`,
  "upload-deleted": () => "Upload deleted. Stacks that it resolved are minified again.",
  "upload-unknown": () => "No changes. The upload no longer exists.",
  "rule-saved": () => "Rule saved.",
  "rule-unmatched": (days) => `Rule saved. Its query matches no issue of the last ${days} days.`,
  "rule-unmatched-newest": (_, issues) =>
    `Rule saved. Its query matches none of the newest ${issues}.`,
  "rule-deleted": () => "Rule deleted.",
  "destination-saved": () => "Destination saved. Send a test to see whether it works.",
  "destination-deleted": () => `Destination deleted. ${CAN_UNDO}`,
  "own-destination-deleted": () => `Destination deleted. ${CAN_UNDO}`,
  "destination-restored": () => "Undone. The destination gets alerts again.",
  "token-revoked": () => `Token revoked. ${CAN_UNDO}`,
  "key-revoked": () => `Key revoked. ${CAN_UNDO}`,
  "invitation-withdrawn": () => `Invitation withdrawn. ${CAN_UNDO}`,
  restored: () => "Undone. It works again.",
  "preferences-saved": () => "Settings saved.",
  "test-delivered": (status: number) =>
    `Test delivered${status > 0 ? ` (status ${formatNumber(status)})` : ""}.`,
  "not-tested": (status: number) =>
    `Test not delivered${status > 0 ? ` (status ${formatNumber(status)})` : ""}. See the delivery log.`,
  "sent-again": () => "Message queued again.",
  "not-found": () => "No changes. No issue has this digest.",
  "not-annotated": () => "Not saved. The comment is empty or too long, or the issue is unknown.",
  "not-decided": () => "No changes. Select at least one issue and an action.",
  "not-saved": () =>
    `View not saved. Enter a name; a project has at most ${formatNumber(limits.maxSavedViews)} views.`,
  "not-erased": () => "Not erased. Type this issue’s digest to confirm.",
  "not-changed": () => "No changes. The form could not be read.",
} as const satisfies Readonly<Record<string, FormatMessage>>;

type FormatMessage = (count: number, issues: string) => string;

/** The key of a message that no operation states. */
export type FlashKind = keyof typeof MESSAGES;

/** The texts that operations state, by their keys. */
const OPERATION_MESSAGES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...OPERATIONS.map(({ messages }) => messages),
);

/** A message as its cookie carries it. */
export interface StoredFlash {
  readonly kind: string;
  /** The number in the message, mostly of issues. */
  readonly count: number;
  /** The issue, if it is only one. */
  readonly digest?: Digest | undefined;
  /** The member to whom the issues were assigned. */
  readonly assignee?: string | undefined;
  /** The action that can be undone. */
  readonly undoId?: string | undefined;
}

/** A message that no operation states. */
export interface Flash extends StoredFlash {
  readonly kind: FlashKind;
}

/** Where what was removed can be restored (`do=restore`, by its id in `undo`). */
const RESTORING_PATHS: Readonly<Record<string, string>> = {
  "token-revoked": "/settings",
  "key-revoked": "/settings",
  "invitation-withdrawn": "/settings",
  "destination-deleted": toAlertFormUrl("destinations"),
  "own-destination-deleted": ALERT_PREFERENCES_URL,
} satisfies Partial<Record<FlashKind, string>>;

/** The message as pages show it; undefined if there is none of this kind. */
export function toShownFlash(flash: StoredFlash): ShownFlash | undefined {
  const { kind, digest, undoId } = flash;
  const text = formatFlash(flash);
  if (text === undefined) return undefined;
  return {
    text,
    digest,
    isRefused: kind.startsWith("not-"),
    focus: kind === "undone" && digest !== undefined ? `issue-${digest}` : undefined,
    undo:
      undoId === undefined
        ? undefined
        : {
            id: undoId,
            label: kind.startsWith("merged") ? "Split" : "Undo",
            path: RESTORING_PATHS[kind],
          },
  };
}

/** "3 issues resolved.", "7F3K-Q2M9 assigned to Ada." */
function formatFlash({ kind, count, digest, assignee }: StoredFlash): string | undefined {
  const issues = digest ?? pluralize(count, "issue");
  if (Object.hasOwn(MESSAGES, kind)) return MESSAGES[kind as FlashKind](count, issues);
  const template = Object.hasOwn(OPERATION_MESSAGES, kind) ? OPERATION_MESSAGES[kind] : undefined;
  // A former member, whose name the cookie must not show.
  const known = assignee === undefined ? template?.replace(" to {assignee}", "") : template;
  return known?.replace("{issues}", issues).replace("{assignee}", () => assignee ?? "");
}

/** The message of an operation, with the id that undoes it. */
export function toOperationFlash(
  { kind, digests, assignee }: Message,
  undoId: string | undefined,
): StoredFlash {
  const [digest, ...others] = digests;
  const only = others.length === 0 ? digest : undefined;
  return { kind, count: digests.length, digest: only, assignee, undoId };
}

/** The message for a change that failed. */
export function toFailureFlash(failure: Failure): Flash {
  const { reason } = failure;
  const ownKind = reason === "too-many" ? FLASH_BY_CAUSE.get(failure.limit) : undefined;
  return { kind: ownKind ?? FLASH_BY_CAUSE.get(reason) ?? "not-changed", count: 0 };
}

/** The messages by the reason of a failure; by the limit, if that one has its own. */
const FLASH_BY_CAUSE: ReadonlyMap<string, FlashKind> = new Map([
  ["unknown-digest", "not-found"],
  ["unknown-report", "not-found"],
  ["unknown-upload", "upload-unknown"],
  ["bad-annotation", "not-annotated"],
  ["bad-decision", "not-decided"],
  ["bad-bulk-action", "not-decided"],
  ["bad-view", "not-saved"],
  ["maxSavedViews", "not-saved"],
  ["unknown-member", "not-assigned"],
  ["unknown-tracker", "not-created"],
  ["already-linked", "not-linked"],
  ["tracker-refused", "not-created"],
  ["bad-link", "not-linked-url"],
  ["maxSplitDigests", "not-split"],
  ["too-many", "not-stored"],
  ["forbidden", "not-allowed"],
  ["bad-erasure", "not-erased"],
]);
