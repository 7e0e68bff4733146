/**
 * The script of `Sentry.showReportDialog()`: a form in which a visitor describes what happened. An
 * SDK loads it from `/api/embed/error-page/?dsn=…&eventId=…`; the texts are in the same query. It
 * sends the form to the address of the script.
 *
 * It runs on pages of others, with their policies. So it has no inline style or markup, loads
 * nothing, and keeps its elements in a shadow root.
 */

/** The name of the host element, and of the message that tells the SDK about the end. */
const HOST = "errata-report-dialog";
const CLOSED = "__sentry_reportdialog_closed__";

const address = (document.currentScript as HTMLScriptElement).src;
const query = new URL(address).searchParams;

/** A text of the application, else the default. */
function getText(name: string, text = ""): string {
  return query.get(name) || text;
}

const STYLE = `
  :host { all: initial }
  dialog { box-sizing: border-box; width: min(34rem, calc(100vw - 2rem)); padding: 1.5rem; border: 0; border-radius: 10px; color: #1f2328; background: #fff; font: 16px/1.5 system-ui, sans-serif; box-shadow: 0 8px 40px rgb(0 0 0 / .35) }
  dialog::backdrop { background: rgb(0 0 0 / .5) }
  h2 { margin: 0; font-size: 1.25em }
  p { margin: .5em 0 }
  label { display: block; margin-top: .75em; font-weight: 600 }
  input, textarea { box-sizing: border-box; width: 100%; margin-top: .25em; padding: .5em; border: 1px solid #767c85; border-radius: 6px; color: inherit; background: none; font: inherit }
  textarea { min-height: 7em }
  button { margin: 1em .5em 0 0; padding: .5em 1em; border: 1px solid #767c85; border-radius: 6px; color: inherit; background: none; font: inherit; cursor: pointer }
  button[type=submit] { border-color: #0b57d0; color: #fff; background: #0b57d0 }
  :focus-visible { outline: 3px solid #5a9cff; outline-offset: 1px }
  [role=alert] { color: #b3261e }
  @media (prefers-color-scheme: dark) {
    dialog { color: #e6e8eb; background: #22262b }
    [role=alert] { color: #ffb4ab }
  }
`;

/** An element with these properties and children. */
function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function createField<K extends "input" | "textarea">(
  tag: K,
  label: string,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLLabelElement {
  return create("label", {}, [label, create(tag, properties)]);
}

function openDialog(): void {
  const host = document.createElement(HOST);
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const alert = create("p", { role: "alert" });
  const close = create("button", { type: "button" }, [getText("labelClose", "Close")]);
  const submit = create("button", { type: "submit" }, [
    getText("labelSubmit", "Submit crash report"),
  ]);
  const form = create("form", { method: "dialog" }, [
    createField("input", getText("labelName", "Name"), {
      name: "name",
      value: getText("name"),
      autocomplete: "name",
    }),
    createField("input", getText("labelEmail", "Email"), {
      name: "email",
      type: "email",
      value: getText("email"),
      autocomplete: "email",
    }),
    createField("textarea", getText("labelComments", "What happened?"), {
      name: "comments",
      required: true,
      maxLength: 4_000,
    }),
    alert,
    submit,
    close,
  ]);
  const heading = create("h2", { id: "title" }, [
    getText("title", "It looks like we’re having issues."),
  ]);
  const dialog = create("dialog", {}, [
    heading,
    create("p", {}, [
      getText("subtitle", "Our team has been notified."),
      " ",
      getText("subtitle2", "If you’d like to help, tell us what happened below."),
    ]),
    form,
  ]);
  dialog.setAttribute("aria-labelledby", heading.id);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    host.remove();
    window.postMessage(CLOSED, "*");
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    alert.textContent = "";
    const failure = await send(form);
    submit.disabled = false;
    alert.textContent = failure;
    if (failure !== "") return;
    const text = getText("successMessage", "Your feedback has been sent. Thank you!");
    const status = create("p", { role: "status", tabIndex: -1 }, [text]);
    form.replaceWith(status, close);
    status.focus();
  });
  root.append(dialog);
  document.body.append(host);
  dialog.showModal();
}

/** Sends the form. Returns what to tell the visitor; empty after success. */
async function send(form: HTMLFormElement): Promise<string> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const response = await fetch(address, { method: "POST", body, credentials: "omit" }).catch(
    () => null,
  );
  if (response?.ok) return "";
  return response?.status === 400
    ? getText(
        "errorFormEntry",
        "Some fields were invalid. Please correct the errors and try again.",
      )
    : getText(
        "errorGeneric",
        "An unknown error occurred while submitting your report. Please try again.",
      );
}

if (document.querySelector(HOST) === null) openDialog();
