/** Email by the `send_email` binding of Cloudflare. */
import type { DeliveryResult } from "../../../core/alerts/destinations/delivery-result.ts";
import { toInertLine } from "../../../core/alerts/formats/inert-text.ts";
import type { EmailBody } from "../../../core/alerts/formats/mail/email-body.ts";

const TIMEOUT_MS = 10_000;
const DAILY_LIMIT_RETRY_MS = 3_600_000;
/** Attempts of an email that only some of its recipients have accepted. */
const MAX_REPEATS = 3;

/** Codes of addresses that accept no mail from this account (Email Service › Error codes). */
const GONE = /^E_RECIPIENT_(?:NOT_ALLOWED|SUPPRESSED)$/;
/** Codes of temporary failures. */
const TEMPORARY_CODES =
  /^E_(?:RATE_LIMIT_EXCEEDED|DAILY_LIMIT_EXCEEDED|INTERNAL_SERVER_ERROR|DELIVERY_FAILED)$/;

/** The used part of the binding (Cloudflare Email Service › Workers API). */
export interface EmailSender {
  send(mail: {
    readonly from: string;
    readonly to: string[];
    readonly subject: string;
    readonly text: string;
    readonly html: string;
    readonly headers: Record<string, string>;
  }): Promise<{ readonly messageId: string } | undefined>;
}

/** The binding for email, and the address of the sender. */
interface EmailContext {
  readonly email?: EmailSender;
  readonly emailFrom?: string;
}

/** Sends one email to all addresses. Never rejects. */
export async function sendMail(
  to: readonly string[],
  { subject, text, html, headers }: EmailBody,
  { email, emailFrom }: EmailContext,
): Promise<DeliveryResult> {
  if (email === undefined || emailFrom === undefined) {
    return {
      kind: "failed",
      answer: "Email is not set up: it needs the binding EMAIL and ERRATA_MAIL_FROM.",
      isOwn: true,
    };
  }
  const mail = { from: emailFrom, subject, text, html, headers: { ...headers } };
  const send = async (recipients: readonly string[]): Promise<DeliveryResult> => {
    try {
      const sent = await Promise.race([email.send({ ...mail, to: [...recipients] }), timeOut()]);
      if (sent === "timeout")
        return { kind: "retry", answer: "No answer within 10 seconds.", isOwn: true };
      return { kind: "delivered", status: 200, answer: toInertLine(sent?.messageId ?? "", 200) };
    } catch (error) {
      return interpretError(error, to);
    }
  };
  const result = await send(to);
  if (result.kind !== "gone" || to.length < 2) return result;
  return joinResults(await Promise.all(to.map((address) => send([address]))));
}

/** The result for all recipients, in their order. Refused ones are named by their position. */
function joinResults(results: readonly DeliveryResult[]): DeliveryResult {
  const temporary = results.find((one) => one.kind === "retry");
  const delivered = results.find(({ kind }) => kind === "delivered");
  // Each further attempt repeats the email for those who have it.
  if (temporary !== undefined && delivered !== undefined)
    return { ...temporary, maxAttempts: MAX_REPEATS };
  if (temporary !== undefined) return temporary;
  const [refused] = results.filter(({ kind }) => kind !== "delivered");
  if (delivered === undefined || refused === undefined)
    return (
      refused ?? delivered ?? { kind: "failed", answer: "There is no recipient.", isOwn: true }
    );
  const positions = results.flatMap(({ kind }, i) => (kind === "delivered" ? [] : i + 1));
  const answer = `Refused for address ${positions.join(", ")} of ${results.length}: ${refused.answer}`;
  return { ...delivered, answer: toInertLine(answer, 200) } as DeliveryResult;
}

/** The answer without the addresses: only the person may see an own address. */
function interpretError(error: unknown, to: readonly string[]): DeliveryResult {
  const { code = "", message = "" } = (
    typeof error === "object" && error !== null ? error : {}
  ) as { readonly code?: unknown; readonly message?: unknown };
  const text = to.reduce(
    (rest, address) => rest.replaceAll(address, "…"),
    `${String(code)} ${String(message)}`,
  );
  const answer = toInertLine(text, 200, "Email failed.");
  const [found = ""] = /\bE_[A-Z_]+/.exec(answer) ?? [];
  if (GONE.test(found)) return { kind: "gone", answer };
  if (found !== "" && !TEMPORARY_CODES.test(found)) return { kind: "failed", answer };
  return found === "E_DAILY_LIMIT_EXCEEDED"
    ? { kind: "retry", afterMs: DAILY_LIMIT_RETRY_MS, answer }
    : { kind: "retry", answer };
}

function timeOut(): Promise<"timeout"> {
  return new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS, "timeout"));
}
