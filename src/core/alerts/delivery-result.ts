/** The result of one attempt to deliver an alert message. */

/**
 * `answer` is at most 200 characters of the response, for owners. `retry`: the next attempt is not
 * before `afterMs` from now, if the service named a time. `failed`: this message cannot be
 * delivered. `gone`: the destination no longer exists, or rejects every message.
 */
export type DeliveryResult =
  | { readonly kind: "delivered"; readonly status: number; readonly answer?: string }
  | {
      readonly kind: "retry";
      readonly status?: number;
      readonly afterMs?: number;
      /** The subject of a refusal: only this message, or every message to the destination. */
      readonly refused?: "message" | "destination";
      /** The message has failed after this many attempts; absent for the whole schedule. */
      readonly maxAttempts?: number;
      readonly answer: string;
    }
  | { readonly kind: "failed" | "gone"; readonly status?: number; readonly answer: string };
