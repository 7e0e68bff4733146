/**
 * What an issue is called, in one line. Text for people: nothing is concluded from it, and nothing groups by it.
 */
import { cutText } from "./cut.ts";
import type { IssueSummary } from "./issue.ts";
import type { Frame } from "./report.ts";

const MAX_TITLE_CHARS = 200;

/**
 * `TypeError: no error boundary here`: type and message in a single line, at most 200 UTF-16 units. The type alone
 * without a message; the message alone where it begins with the type, or where there is no type.
 */
export function titleOf({ type, message }: Pick<IssueSummary, "type" | "message">): string {
  const words = oneLine(message);
  const name = oneLine(type);
  const isNamed = name === "" || words.startsWith(`${name}:`);
  const title = isNamed ? words : [name, words].filter((part) => part !== "").join(": ");
  return cutText(title, MAX_TITLE_CHARS);
}

/**
 * Where it was thrown: `priceOf · cart.tsx`, from the newest frame of the application. A name that a minifier made
 * and the hash in a file's name say nothing and are left out; undefined when nothing is left.
 */
export function whereOf(frames: readonly Frame[]): string | undefined {
  const frame = frames.find((candidate) => candidate.inApp);
  const where = [functionOf(frame?.function), fileOf(frame?.file)]
    .filter((part) => part !== undefined)
    .join(" · ");
  return where === "" ? undefined : cutText(where, MAX_TITLE_CHARS);
}

/** `Cart.total` for `Object.Cart.total`; undefined for `<anonymous>` and for names of one or two characters. */
function functionOf(name: string | undefined): string | undefined {
  const own = name?.replace(/^(?:Object|Module|exports|globalThis)\./, "");
  const last = own?.slice(own.lastIndexOf(".") + 1).replace(/^(?:new|get|set) /, "");
  return last === undefined || last.length < 3 || /^[<?]|>$/.test(last) ? undefined : own;
}

/**
 * `cart.tsx` for `webpack-internal:///(rsc)/./src/cart.tsx?v=1`, `cart.js` for
 * `https://cdn.example/cart-3f9a2b1c.js`.
 */
function fileOf(file: string | undefined): string | undefined {
  const path = file?.replace(/[?#].*$/s, "") ?? "";
  const name = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .replace(/(?<=.)(?:[.-]|__)(?=[\w-]*\d)[\w-]{6,}(?:\._)?(?=\.[cm]?js$)/, "");
  return name === "" || /^[\da-f]{8,}\.\w+$/.test(name) ? undefined : name;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
