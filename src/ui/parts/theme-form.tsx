/**
 * The theme form: system, light or dark. The choice is stored in a cookie and rendered by the
 * server, so pages do not flash in the other scheme.
 */
import { createContext, use } from "react";

/** The available themes. */
export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** The current theme, and the path and query of this page to return to. */
interface PageTheme {
  readonly theme: Theme;
  readonly returnTo: string;
}

/** Provided to every page by `HtmlDocument`. */
export const ThemeContext = createContext<PageTheme>({ theme: "system", returnTo: "/" });

/** The form in the account menu. */
export function ThemeForm() {
  const { theme, returnTo } = use(ThemeContext);
  return (
    <form className="theme" method="post" action="/theme">
      <input type="hidden" name="returnTo" value={returnTo} />
      {/* WebKit draws a legend above a flex container. */}
      <fieldset aria-labelledby="theme-label">
        <span id="theme-label">Theme</span>
        {THEMES.map((name) => (
          <button key={name} type="submit" name="theme" value={name} aria-pressed={name === theme}>
            {LABELS[name]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}

const LABELS: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };
