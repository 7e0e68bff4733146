/** Notices and feedback of the sample shop's visitors. */

import { SAMPLE_ENVIRONMENT } from "../report/sample-environment.ts";
import { SAMPLE_DEFAULTS, type SamplePayload } from "./sample-payload.ts";
import { NOTICE_DIGEST, SHOP_ORIGIN } from "./sample-shop.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { SampleEvent } from "./sentry-events.ts";

/** A visitor of a failed checkout: the browser reports an error, and that the notice was shown. */
export function createNoticePayloads(
  { atMs, payload }: SampleEvent,
  random: SeededRandom,
): readonly SamplePayload[] {
  const common = {
    errata: 1,
    digest: NOTICE_DIGEST,
    url: `${SHOP_ORIGIN}/checkout/payment`,
    release: payload.release,
    environment: SAMPLE_ENVIRONMENT,
    language: "en-GB",
    viewport: "390x844",
  };
  const boundary = {
    ...common,
    id: random.nextHexId(),
    how: "caught",
    type: "Error",
    message: "An error occurred in the Server Components render.",
    stack: `Error: An error occurred in the Server Components render.\n    at ${SHOP_ORIGIN}/_next/static/chunks/checkout-77aa.js:1:5120`,
    at: atMs + 700,
  };
  const notice = { ...common, id: random.nextHexId(), how: "notice", at: atMs + 900 };
  return [boundary, notice].map((report) => ({
    text: JSON.stringify(report),
    errorNames: ["price"],
    defaults: SAMPLE_DEFAULTS,
  }));
}

const FEEDBACK_MESSAGES = [
  "I wanted to pay for two packets of Assam, and after the address it only showed this code.",
  "It happens whenever the voucher from the newsletter is in the basket.",
  "Tried it on my phone and on the computer, the same both times. The basket is still there.",
] as const;

/** Feedback of visitors about the events that affected them. */
export function createFeedbackPayload(
  events: readonly SampleEvent[],
  random: SeededRandom,
): SamplePayload {
  const items = events.map(({ atMs, payload }, nth) => {
    const feedback = {
      message: FEEDBACK_MESSAGES[nth % FEEDBACK_MESSAGES.length],
      name: ["Ines", "T. Okafor", "Mara"][nth % 3],
      associated_event_id: payload.event_id,
      url: `${SHOP_ORIGIN}/checkout/payment`,
    };
    const { release } = payload;
    const event = {
      event_id: random.nextHexId(),
      timestamp: atMs / 1000 + 95,
      platform: "javascript",
    };
    const item = { ...event, release, environment: SAMPLE_ENVIRONMENT, contexts: { feedback } };
    return `{"type":"feedback"}\n${JSON.stringify(item)}\n`;
  });
  return {
    text: `{}\n${items.join("")}`,
    errorNames: events.map(({ errorName }) => errorName),
    defaults: SAMPLE_DEFAULTS,
  };
}
