/**
 * The client script of every page: the reporter, copy buttons, the console message of notices,
 * passkeys, and client-side navigation on the desk. Pages work without it.
 */

import { NOTICE_SENTENCE } from "../core/notice-sentence.ts";
import { toReportCode } from "../core/report/report-code.ts";
import { toLookupUrl } from "../ui/urls/lookup-urls.ts";
import { toReceiptUrl } from "../ui/urls/receipt-urls.ts";
import { startDesk } from "./desk.ts";
import { type BrowserReport, capture, startReporter } from "./reporter.ts";
import { handleTimeHover, handleZoneClick, showLocalTimes } from "./time/local-time.ts";

/** Browsers that run this script can stream pages (see `NoScriptRedirect`). */
const CLEAR_NON_STREAMING_COOKIE = "errata-no-streaming=; Path=/; Max-Age=0; SameSite=Lax";

const { content: to = "/monitoring", dataset = {} } =
  document.querySelector<HTMLMetaElement>("meta[name=errata]") ?? {};
startReporter({ to }, () => dataset, showReport);
// biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
if (document.cookie.includes("errata-no-streaming=")) document.cookie = CLEAR_NON_STREAMING_COOKIE;
document.addEventListener("click", handleCopyClick);
document.addEventListener("click", handleZoneClick);
document.addEventListener("pointerover", handleTimeHover);
new MutationObserver(initNewElements).observe(document.body, { childList: true, subtree: true });
document.addEventListener("DOMContentLoaded", initNewElements);
initNewElements();
if (document.querySelector("[data-desk]")) startDesk();

/** Initializes elements that were added since the last call; notices can be streamed late. */
function initNewElements(): void {
  for (const notice of document.querySelectorAll<HTMLElement>(
    "[data-notice]:not([data-initialized])",
  ))
    announceNotice(notice);
  showLocalTimes();
  initOnce("[data-live-filter]", async (list) =>
    (await import("./live-feed.ts")).startLiveFeed(list),
  );
  initOnce("[data-awaits]", async (panel) =>
    (await import("./await-report.ts")).startAwaiting(panel),
  );
  initOnce("[data-options-url]", async (prompt) =>
    (await import("./passkey-prompt.ts")).initPasskeyPrompt(prompt),
  );
  initOnce("[data-copy-url]", async (button) => (await import("./copy-url.ts")).initCopy(button));
  initOnce("[data-stack-url]", async () => (await import("./map-files.ts")).startMapFiles());
  initOnce("[data-tabs]", async (page) => (await import("./tabs.ts")).initTabs(page));
  initOnce("[data-mentions]", async (field) => {
    field.onfocus = async () =>
      (await import("./mentions.ts")).startMentions(field as HTMLTextAreaElement);
  });
  initOnce("[data-push-offer]", async (offer) => (await import("./inbox.ts")).startInbox(offer));
  initOnce("[data-push-key]", async (form) =>
    (await import("./enable-push.ts")).initPushForm(form as HTMLFormElement),
  );
}

/** Initializes an element that few pages have. Its script is loaded only there. */
function initOnce(selector: string, init: (element: HTMLElement) => Promise<void>): void {
  const element = document.querySelector<HTMLElement>(`${selector}:not([data-initialized])`);
  if (!element) return;
  // Marked before the script is loaded, because elements may be added in the meantime.
  element.dataset.initialized = "";
  void init(element);
}

/** Logs the digest ("see the browser console for more information") and reports the notice. */
function announceNotice(notice: HTMLElement): void {
  notice.dataset.initialized = "";
  const { digest, report: reportId } = notice.dataset;
  if (digest === undefined) return;
  const receipt = location.origin + toReceiptUrl(digest);
  console.error(`Errata: digest ${digest}, report ${reportId ?? "unknown"}. Status: ${receipt}`);
  const details = { digest, reportId };
  capture("notice", { name: "Notice", message: "A visitor was shown the notice." }, details);
}

/** Errors without effect for visitors: layout notes of the browser, scripts of other origins. */
const IGNORED_ERRORS = /^ResizeObserver loop|^Script error\.?$/;

/** Shows a report that is sent. */
function showReport(report: BrowserReport): BrowserReport {
  const { how, id, message } = report;
  if (how === "notice") return report;
  const lookup = location.origin + toLookupUrl(id);
  console.error(`Errata: reported as ${id}. See ${lookup}`);
  if (how === "caught") addCode(document.querySelector(NOTICE_WITHOUT_CODE), id);
  const isOutsideReact = how === "uncaught" || how === "rejection";
  if (isOutsideReact && !IGNORED_ERRORS.test(message)) showNotice(id);
  const target = document.querySelector("[data-self-test-report]");
  if (target === null) return report;
  const link = document.createElement("a");
  link.href = lookup;
  link.textContent = `Browser report: ${id}`;
  target.replaceChildren(link);
  return report;
}

/** Shows the notice for a failure outside React, once for each page. */
function showNotice(reportId: string): void {
  if (document.querySelector("[data-toast]")) return;
  const toast = document.body.appendChild(document.createElement("div"));
  toast.dataset.toast = "";
  const notice = toast.appendChild(document.createElement("div"));
  notice.className = "notice compact";
  notice.role = "alert";
  notice.dataset.notice = "";
  notice.dataset.report = reportId;
  const sentence = notice.appendChild(document.createElement("p"));
  sentence.className = "notice-sentence";
  sentence.textContent = NOTICE_SENTENCE;
  addCode(notice, reportId);
}

/** The server does not know of these failures, so their notices have no digest. */
const NOTICE_WITHOUT_CODE = "[data-notice]:not([data-digest], :has(code))";

/** Adds the code of the browser's report, which the lookup accepts like a digest. */
function addCode(notice: Element | null, reportId: string): void {
  const line = document.createElement("p");
  line.className = "notice-digest";
  line.textContent = "Code: ";
  line.appendChild(document.createElement("code")).textContent = toReportCode(reportId);
  notice?.querySelector(".notice-sentence")?.after(line);
}

function handleCopyClick({ target }: MouseEvent): void {
  const button = (target as Element).closest<HTMLElement>("[data-copy]");
  if (!button) return;
  const output = button.parentElement?.querySelector<HTMLElement>("[data-copied]");
  const setText = (text: string) => {
    if (output) output.textContent = text;
  };
  navigator.clipboard.writeText(button.dataset.copy ?? "").then(
    () => setText(output?.dataset.copied || "Copied"),
    () => setText("Copying was blocked by the browser"),
  );
}
