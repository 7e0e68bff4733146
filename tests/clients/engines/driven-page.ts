/**
 * A page of Firefox (WebDriver BiDi) or WebKitGTK (WebDriver) that a test drives with real keys and
 * clicks. Both protocols describe keys and pointers in the same way.
 */

/** One page. Selectors are CSS; a key has the name that `KeyboardEvent.key` has. */
export interface DrivenPage {
  readonly goto: (url: string) => Promise<void>;
  /** The result of a function body in the page; its value must be JSON. */
  readonly evaluate: <T>(body: string) => Promise<T>;
  /** Presses keys one after another. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Clicks on the middle of the first visible element. */
  readonly click: (selector: string) => Promise<void>;
  readonly resize: (width: number, height: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The commands that differ between the two protocols. */
export interface PageProtocol {
  readonly goto: (url: string) => Promise<void>;
  /** The JSON of the value of an async function body. */
  readonly evaluate: (body: string) => Promise<string>;
  readonly perform: (actions: readonly object[]) => Promise<void>;
  readonly resize: (width: number, height: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Code points of keys without a character (WebDriver, section 17.4.2). */
const KEYS: Readonly<Record<string, string>> = {
  Enter: "\uE006",
  Escape: "\uE00C",
  Tab: "\uE004",
  ArrowDown: "\uE015",
  ArrowUp: "\uE013",
  Control: "\uE009",
};

/** The page over a protocol. */
export function drivePage(protocol: PageProtocol): DrivenPage {
  const evaluate = async <T>(body: string) => JSON.parse(await protocol.evaluate(body)) as T;
  const press = (...keys: readonly string[]) =>
    protocol.perform([
      {
        type: "key",
        id: "keyboard",
        actions: keys.flatMap((key) => {
          const parts = key.split("+").map((part) => KEYS[part] ?? part);
          const down = parts.map((value) => ({ type: "keyDown", value }));
          const up = parts.toReversed().map((value) => ({ type: "keyUp", value }));
          return [...down, ...up];
        }),
      },
    ]);
  return {
    ...protocol,
    evaluate,
    press,
    type: (text) => press(...text),
    async click(selector) {
      const place = await evaluate<{ x: number; y: number } | null>(`
        const found = [...document.querySelectorAll(${JSON.stringify(selector)})]
          .find((one) => one.checkVisibility());
        if (!found) return null;
        found.scrollIntoView({ block: "center" });
        const { x, y, width, height } = found.getBoundingClientRect();
        return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };`);
      if (place === null) throw new Error(`No visible element matches ${selector}`);
      await protocol.perform([
        {
          type: "pointer",
          id: "mouse",
          parameters: { pointerType: "mouse" },
          actions: [
            { type: "pointerMove", ...place, duration: 0 },
            { type: "pointerDown", button: 0 },
            { type: "pointerUp", button: 0 },
          ],
        },
      ]);
    },
  };
}
