/**
 * Notifications of this browser: asks for the permission, subscribes at the push service of the
 * browser, and sends the subscription with the form `[data-push-key]`.
 */

const WORKER_URL = "/push-worker.js";

interface Policy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: object): Policy;
}

/** A policy can be created once for each document. */
let policy: Policy | undefined;

/** Starts once on the form. */
export function initPushForm(form: HTMLFormElement): void {
  if (!createPolicy()) return;
  const status = form.querySelector("[role=status]") as HTMLElement;
  const button = form.querySelector("button") as HTMLButtonElement;
  const show = (text: string) => {
    status.textContent = text;
  };
  if (!("serviceWorker" in navigator && "PushManager" in window)) {
    show(
      "This browser does not support push notifications. On an iPhone, add Errata to the home screen first.",
    );
    return;
  }
  show("");
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const subscription = await subscribe(form.dataset.pushKey ?? "");
      const { endpoint = "", keys = {} } = subscription.toJSON();
      for (const [name, value] of Object.entries({ ...keys, endpoint })) {
        const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`);
        if (field) field.value = value;
      }
      form.submit();
    } catch (error) {
      button.disabled = false;
      show(
        Notification.permission === "denied"
          ? "Notifications from this site are blocked. Allow them in the browser settings."
          : `The browser could not subscribe: ${(error as Error).message}`,
      );
    }
  });
}

async function subscribe(key: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("no permission");
  const scriptUrl = policy?.createScriptURL(WORKER_URL) ?? WORKER_URL;
  const registration = await navigator.serviceWorker.register(scriptUrl);
  await navigator.serviceWorker.ready;
  // A subscription with another key belongs to a deployment that lost its data.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * Service workers need a Trusted Type, which only this page allows. A document that navigated here
 * has the rules of the first page, so it is reloaded, and the result is false.
 */
function createPolicy(): boolean {
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory };
  const rules = { createScriptURL: () => WORKER_URL };
  try {
    policy ??= trustedTypes?.createPolicy("push-worker", rules);
    return true;
  } catch {
    const [loaded] = performance.getEntriesByType("navigation");
    const isOther = loaded !== undefined && new URL(loaded.name).pathname !== location.pathname;
    if (isOther) location.reload();
    return !isOther;
  }
}
