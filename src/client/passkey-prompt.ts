/**
 * Signs in with a passkey or creates one: fetches the options, calls the browser and sends the
 * credential. URLs and error messages are attributes of `ui/account/needs-script.tsx`.
 */

/** Starts once on `data-options-url`. Moves the code of a setup link from the URL to the form. */
export function initPasskeyPrompt(container: HTMLElement): void {
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
    void showInvitation(code.value);
    const name = document.getElementById("your-name");
    // The style sheet then shows only the name and one button.
    if (name) (code.closest("section") as HTMLElement).dataset.invited = "";
    (name ?? code).focus();
  };
  readHashCode();
  // A visitor may paste the link into this tab.
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

/** Says who invites to what, or who signs in again; nothing for another code. */
async function showInvitation(code: string): Promise<void> {
  const text = document.querySelector<HTMLElement>("[data-invitation-url]");
  const found = await postJson(text?.dataset.invitationUrl, { code }).catch(() => undefined);
  if (!text || !found) return;
  if (found.name) {
    const section = text.closest("section") as HTMLElement;
    const button = section.querySelector("[type=submit]") as HTMLElement;
    (button.querySelector("bdi") as HTMLElement).textContent = found.name;
    section.dataset.invited = "again";
    button.focus();
    return;
  }
  const [by, project] = text.querySelectorAll("bdi");
  if (by && found.by) by.textContent = found.by;
  if (project) project.textContent = found.project;
  const role = text.querySelector("span");
  if (role) role.textContent = `${found.role === "owner" ? "an" : "a"} ${found.role}`;
  text.hidden = false;
}

/** The JSON response. Rejects with `{ name: status }` if the request failed. */
async function postJson(url: string | undefined, body = {}) {
  const response = await fetch(url as string, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw { name: response.status };
  return response.json();
}
