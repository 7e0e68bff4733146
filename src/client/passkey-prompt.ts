/**
 * Passkeys, on the pages where people come in and add them: asks the server, has the browser answer, and sends the answer. The
 * place (`ui/scripted.tsx`) says where, and has the words for what may go wrong.
 */

/** Begins, once, on a place that has `data-options-url`. The code of a link goes into the form, and out of the address. */
export function initPasskeyPrompt(container: HTMLElement): void {
  container.dataset.initialized = "";
  const { optionsUrl, responseUrl, returnTo, errorMessages } = container.dataset;
  const [promptElement, status] = container.children as unknown as [HTMLElement, HTMLElement];
  const button = promptElement.querySelector("button") as HTMLButtonElement;
  const code = document.querySelector<HTMLInputElement>("#code");
  const PublicKey = window.PublicKeyCredential;
  const showError = (errorName: string) => {
    const messages = JSON.parse(errorMessages as string);
    status.className = "";
    status.textContent = errorName && (messages[errorName] ?? messages.else);
  };
  const readHashCode = () => {
    if (!code || !location.hash) return;
    code.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    code.focus();
  };
  readHashCode();
  // Somebody pastes the link into the very tab that asks for it.
  addEventListener("hashchange", readHashCode);
  const isSupported = PublicKey && "parseRequestOptionsFromJSON" in PublicKey;
  promptElement.hidden = !isSupported;
  showError(isSupported ? "" : "old");
  button.onclick = async () => {
    button.disabled = true;
    try {
      const options = await postJson(optionsUrl);
      const credential = returnTo
        ? await navigator.credentials.get({
            publicKey: PublicKey.parseRequestOptionsFromJSON(options),
          })
        : await navigator.credentials.create({
            publicKey: PublicKey.parseCreationOptionsFromJSON(options),
          });
      const name = promptElement.querySelector("input")?.value;
      location.assign(
        (await postJson(responseUrl, { response: credential, returnTo, name })).redirectTo,
      );
    } catch (error) {
      showError((error as Error).name);
      button.disabled = false;
    }
  };
}

/** What is answered; rejects with the status of a refusal in the place of an error's name. A credential is sent as its own JSON. */
async function postJson(url: string | undefined, body = {}) {
  const response = await fetch(url as string, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw { name: response.status };
  return response.json();
}
