/**
 * Passkeys, on the pages where people come in and add them: asks the server, has the browser answer, and sends the answer. The
 * place (`ui/scripted.tsx`) says where, and has the words for what may go wrong.
 */

/** Begins, once, on a place that has `data-ask`. The code of a link goes into the form, and out of the address. */
export function open(place: HTMLElement): void {
  place.dataset.told = "";
  const { ask, answer, to, says } = place.dataset;
  const [ready, status] = place.children as unknown as [HTMLElement, HTMLElement];
  const button = ready.querySelector("button") as HTMLButtonElement;
  const code = document.querySelector<HTMLInputElement>("#code");
  const keys = window.PublicKeyCredential;
  const say = (what: string) => {
    const words = JSON.parse(says as string);
    status.className = "";
    status.textContent = what && (words[what] ?? words.else);
  };
  const take = () => {
    if (!code || !location.hash) return;
    code.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    code.focus();
  };
  take();
  // Somebody pastes the link into the very tab that asks for it.
  addEventListener("hashchange", take);
  const isAble = keys && "parseRequestOptionsFromJSON" in keys;
  ready.hidden = !isAble;
  say(isAble ? "" : "old");
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
      say((error as Error).name);
      button.disabled = false;
    }
  };
}

/** What is answered; rejects with the status of a refusal in the place of an error's name. A credential is sent as its own JSON. */
async function post(url: string | undefined, body = {}) {
  const response = await fetch(url as string, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw { name: response.status };
  return response.json();
}
