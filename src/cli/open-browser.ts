/** Opens an address in the browser. A machine without one needs the printed address. */
import { spawn } from "node:child_process";

export function openBrowser(url: string): void {
  const [program = "", ...words] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler"]
        : ["xdg-open"];
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
