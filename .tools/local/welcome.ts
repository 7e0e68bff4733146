// The text that `npm start` prints.

import type { makeLink } from "../deploy/sign-in-link.ts";

interface Started {
  url: string;
  link: ReturnType<typeof makeLink>;
  /** True if this machine needs no sign-in. */
  isOpen: boolean;
  key: string;
  serverKey: string;
  /** The folder of the data. */
  folder: string;
  /** A line about the build; "" without one. */
  built: string;
}

/** Formats the text. Passkeys and sessions need a host name, not an IP address. */
export function formatWelcome({
  url,
  link,
  isOpen,
  key,
  serverKey,
  folder,
  built,
}: Started): string {
  const { origin, host } = new URL(url);
  const address = origin.replace("127.0.0.1", "localhost");
  const [bold, plain] = process.stdout.isTTY ? ["\x1b[1m", "\x1b[0m"] : ["", ""];
  const example = JSON.stringify({
    error: {
      name: "TypeError",
      message: "cart is undefined",
      digest: "2338823894",
      stack: "TypeError: cart is undefined\n    at Cart (/srv/shop/app/cart/page.js:12:7)",
    },
    request: { path: "/cart", method: "GET", headers: {} },
    context: { routerKind: "App Router", routePath: "/cart", routeType: "render" },
  });
  const enter = isOpen ? address : link.at(address);
  return `
  ${bold}Errata is at ${address}${plain}

  ${isOpen ? "Open Errata (no sign-in on this machine: ERRATA_LOCAL)" : "Sign in (the link works once and expires after a day; every start creates a new one)"}
    ${enter}

  Trigger test failures and see their digests
    ${address}/self-test

  DSN for SDKs in browsers (public)
    http://${key}@${host}/1

  DSN for SDKs on servers (secret: keep it out of pages)
    http://${serverKey}@${host}/1

  Send a server error as Next.js would, then look up 2338823894
    curl ${origin}/monitoring -d '${example}'

  ${built && `${built}. `}Data folder: ${folder}. Press Ctrl-C to stop.
`;
}
