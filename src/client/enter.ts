/**
 * Passkeys, on the pages where people come in and add them: asks the server, has the browser answer, and sends the answer. Loaded
 * where there is `[data-ask]`, which says where to ask and where the answer goes.
 */

/** What stands in a status line, by the name of what the browser threw or the status that was answered. */
const SAYS: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used. Try again when you like.",
  InvalidStateError: "This device has a passkey for you already.",
  403: "This passkey is not known here, or it took too long. Try again.",
  409: "You have as many passkeys as one may have: remove one first.",
  429: "Too many tries. Wait a minute.",
};
const UNKNOWN = "It did not work. Reload the page, and try again.";

/** Begins, once, on such a place. The code of a link goes into the form, and out of the address. */
export function begin(place: HTMLElement): void {
  const { ask = "", answer = "", to } = place.dataset;
  const status = place.querySelector("[role=status]") as HTMLElement;
  const code = document.querySelector<HTMLInputElement>("#code");
  const say = (text: string) => {
    status.className = "aside";
    status.textContent = text;
  };
  if (code && location.hash) {
    code.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    code.form?.querySelector("button")?.focus();
  }
  const keys = window.PublicKeyCredential;
  if (!keys?.parseRequestOptionsFromJSON) {
    say("This browser is too old for passkeys, or the page did not come by https.");
    return;
  }
  const ready = place.querySelector<HTMLElement>("[data-ready]") as HTMLElement;
  const button = ready.querySelector("button") as HTMLButtonElement;
  ready.hidden = false;
  say("");
  button.onclick = async () => {
    button.disabled = true;
    try {
      const options = await post(ask);
      const credential = to
        ? await navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(options) })
        : await navigator.credentials.create({
            publicKey: keys.parseCreationOptionsFromJSON(options),
          });
      const name = ready.querySelector("input")?.value;
      location.assign((await post(answer, { answer: credential, to, name })).leadsTo);
    } catch (error) {
      say(SAYS[(error as Error).name] ?? SAYS[(error as Error).message] ?? UNKNOWN);
      button.disabled = false;
    }
  };
}

/** What is answered; rejects with the status of a refusal. A credential is sent as its own JSON. */
async function post(url: string, body = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}
