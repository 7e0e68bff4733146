/** How pages name the address to which a browser brings the answer for a program. */
import { isLoopbackRedirect } from "../../core/oauth/client-metadata.ts";

/** `https://vscode.dev`; for an application its scheme, `com.example.app:`. */
export function describeRedirect(redirectUri: string): string {
  return isLoopbackRedirect(redirectUri) ? "a program on this device" : toOrigin(redirectUri);
}

function toOrigin(uri: string): string {
  const url = URL.parse(uri);
  return url === null ? "" : url.origin === "null" ? url.protocol : url.origin;
}
