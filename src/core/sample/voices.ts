/** What the sample's visitors were shown, and what they wrote. */
import { SAID, type SampleBody } from "./body.ts";
import type { Chance } from "./chance.ts";
import { SAMPLE_ENVIRONMENT, type SampleEvent } from "./events.ts";
import { SHOP, SHOWN_DIGEST } from "./shop.ts";

/** The visitor of a failed checkout: the browser fails too, and says that the notice was shown. */
export function shownTo({ atMs, payload }: SampleEvent, chance: Chance): readonly SampleBody[] {
  const common = {
    errata: 1,
    digest: SHOWN_DIGEST,
    url: `${SHOP}/checkout/payment`,
    release: payload.release,
    environment: SAMPLE_ENVIRONMENT,
    language: "en-GB",
    viewport: "390x844",
  };
  const boundary = {
    ...common,
    id: chance.id(),
    how: "caught",
    type: "Error",
    message: "An error occurred in the Server Components render.",
    stack: `Error: An error occurred in the Server Components render.\n    at ${SHOP}/_next/static/chunks/checkout-77aa.js:1:5120`,
    at: atMs + 700,
  };
  const notice = { ...common, id: chance.id(), how: "notice", at: atMs + 900 };
  return [boundary, notice].map((report) => ({
    text: JSON.stringify(report),
    faults: ["price"],
    said: SAID,
  }));
}

const WORDS = [
  "I wanted to pay for two packets of Assam, and after the address it only showed this code.",
  "It happens whenever the voucher from the newsletter is in the basket.",
  "Tried it on my phone and on the computer, the same both times. The basket is still there.",
] as const;

/** What visitors wrote about the events that met them. */
export function feedbackOf(events: readonly SampleEvent[], chance: Chance): SampleBody {
  const items = events.map(({ atMs, payload }, nth) => {
    const feedback = {
      message: WORDS[nth % WORDS.length],
      name: ["Ines", "T. Okafor", "Mara"][nth % 3],
      associated_event_id: payload.event_id,
      url: `${SHOP}/checkout/payment`,
    };
    const { release } = payload;
    const said = { event_id: chance.id(), timestamp: atMs / 1000 + 95, platform: "javascript" };
    const item = { ...said, release, environment: SAMPLE_ENVIRONMENT, contexts: { feedback } };
    return `{"type":"feedback"}\n${JSON.stringify(item)}\n`;
  });
  return { text: `{}\n${items.join("")}`, faults: events.map(({ fault }) => fault), said: SAID };
}
