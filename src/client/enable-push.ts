/**
 * Notifications of this browser: asks for the permission, subscribes at the push service of the
 * browser, and sends the subscription with the form `[data-push-key]`.
 */

const WORKER_URL = "/push-worker.js";

interface PolicyFactory {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string };
}

/** Starts once on the form. */
export function initPushForm(form: HTMLFormElement): void {
  form.dataset.initialized = "";
  const status = form.querySelector("[role=status]") as HTMLElement;
  const button = form.querySelector("button") as HTMLButtonElement;
  const show = (text: string) => {
    status.textContent = text;
  };
  if (!("serviceWorker" in navigator && "PushManager" in window)) {
    show("This browser has no push notifications. On an iPhone, add Errata to the home screen.");
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
          ? "Notifications of this site are blocked. Allow them in the settings of the browser."
          : `The browser could not subscribe: ${(error as Error).message}`,
      );
    }
  });
}

async function subscribe(key: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("no permission");
  const registration = await navigator.serviceWorker.register(toScriptUrl(WORKER_URL));
  await navigator.serviceWorker.ready;
  // A subscription with another key belongs to an Errata that lost its data.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Service workers need a Trusted Type. Only this page's policy allows one. */
function toScriptUrl(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory };
  const policy = trustedTypes?.createPolicy("push-worker", {
    createScriptURL: () => WORKER_URL,
  });
  return policy?.createScriptURL(url) ?? url;
}
