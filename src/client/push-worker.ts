/**
 * The service worker at `/push-worker.js`: shows push messages as notifications, and opens the
 * issue when one is clicked. It handles no requests of pages.
 */

interface PushEvent extends Event {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface NotificationEvent extends Event {
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window" }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: "push", listener: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: NotificationEvent) => void): void;
}

interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
}

const scope = self as unknown as WorkerScope;

scope.addEventListener("push", (event) => {
  const { title, body, path, tag } = (event.data?.json() ?? {}) as Record<string, string>;
  const options = { body: body ?? "", tag: tag ?? "", data: path, icon: "/favicon.svg" };
  event.waitUntil(scope.registration.showNotification(title ?? "Errata", options));
});

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(String(event.notification.data ?? "/alerts")));
});

/** Focuses the page if it is open; opens it otherwise. Pages of other origins are not opened. */
async function openPage(path: string): Promise<void> {
  const { origin } = location;
  const url = URL.canParse(path, origin) ? new URL(path, origin) : new URL(origin);
  const target = url.origin === origin ? url.href : origin;
  const open = (await scope.clients.matchAll({ type: "window" })).find((one) => one.url === target);
  await (open ? open.focus() : scope.clients.openWindow(target));
}
