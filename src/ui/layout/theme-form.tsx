/**
 * The choice of colours: as the system has them, light or dark. A plain form; what was chosen is a cookie, and the server
 * writes it into the page, so that no page shows one scheme first and then the other.
 */
import { createContext, use } from "react";

/** What can be chosen. */
export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** What was chosen, and the address of this page, relative to its host, to come back to. */
export interface PageTheme {
  readonly theme: Theme;
  readonly returnTo: string;
}

/** Given to every page by the document around it. */
export const ThemeContext = createContext<PageTheme>({ theme: "system", returnTo: "/" });

/** The form, for a page's foot. It knows by itself what was chosen. */
export function ThemeForm() {
  const { theme, returnTo } = use(ThemeContext);
  return (
    <form className="theme" method="post" action="/theme">
      <input type="hidden" name="returnTo" value={returnTo} />
      <fieldset>
        <legend>Colours</legend>
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
