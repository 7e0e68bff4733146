/**
 * The team's page with @sentry/browser, set up as its documentation says. Every button triggers one
 * typical error. An earlier script sets the SDK's options in `window.sentryOptions`.
 */
import * as Sentry from "@sentry/browser";

declare global {
  interface Window {
    readonly sentryOptions: Sentry.BrowserOptions;
    flushSentry(): Promise<boolean>;
  }
}

const { tracesSampleRate } = window.sentryOptions;
Sentry.init({
  release: "shop@1.4.0",
  environment: "staging",
  integrations: tracesSampleRate === undefined ? [] : [Sentry.browserTracingIntegration()],
  ...window.sentryOptions,
});
window.flushSentry = () => Sentry.flush(5_000);

function priceOf(cart: string): number {
  throw new TypeError(`no price for this ${cart}`);
}

async function loadCart(): Promise<void> {
  throw new RangeError("the cart has no such page");
}

function payWith(card: string): void {
  try {
    priceOf("cart");
  } catch (cause) {
    throw new Error(`paying by ${card} failed`, { cause });
  }
}

const mistakes: Record<string, () => void> = {
  uncaught: () => void priceOf("cart"),
  rejection: () => void loadCart(),
  captured: () => {
    try {
      payWith("invoice");
    } catch (error) {
      Sentry.captureException(error);
    }
  },
  message: () => void Sentry.captureMessage("the cart was emptied", "warning"),
  string: () => {
    throw "the shop is closed";
  },
  traced: () => Sentry.startSpan({ name: "counting", forceTransaction: true }, () => undefined),
  written: () => {
    const about = Sentry.captureException(new Error("the receipt is blank"));
    const attachments = [{ filename: "page.txt", data: "the page, as text" }];
    const words = { message: "I see nothing", email: "ann@example.com", associatedEventId: about };
    Sentry.captureFeedback(words, { attachments });
  },
  breadcrumbs: () => {
    console.info("the cart is being counted");
    Sentry.addBreadcrumb({ category: "cart", message: "three items", level: "info" });
    fetch("/stock")
      .catch(() => undefined)
      .finally(() => Sentry.captureException(new Error("counted wrongly")));
  },
};

for (const [name, make] of Object.entries(mistakes)) {
  const button = document.createElement("button");
  button.id = name;
  button.textContent = name;
  button.addEventListener("click", () => make());
  document.body.append(button);
}
