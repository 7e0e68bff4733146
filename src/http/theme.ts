/** `POST /theme`: chooses the colours of Errata's pages in this browser, by a plain form or as JSON. */
import { fail, ok, type Result } from "../core/result.ts";
import { THEMES, type Theme } from "../ui/theme-form.tsx";
import { answerChange } from "./change.ts";
import type { FieldsFailure } from "./failures.ts";
import { type Fields, readFields } from "./fields.ts";
import type { AppContext } from "./services.ts";
import { themeCookie } from "./theme-cookie.ts";

/**
 * Takes `theme` (`system`, `light` or `dark`) and `back`, a path of this host. Leads to `back`, by default the start page; JSON:
 * `{"theme":"dark"}`. 400, 413 or 415 for fields that choose nothing; otherwise as `answerChange` says.
 */
export function chooseTheme(c: AppContext): Promise<Response> {
  const url = new URL(c.req.url);
  return answerChange(c, async () => {
    const fields = await readFields(c.req.raw);
    if (!fields.ok) return fields;
    const theme = themeIn(fields.value);
    if (!theme.ok) return theme;
    c.header("Set-Cookie", themeCookie(theme.value, url));
    return ok({ said: { theme: theme.value }, leadsTo: pathOn(url, fields.value.get("back")) });
  });
}

function themeIn(fields: Fields): Result<Theme, FieldsFailure> {
  const theme = THEMES.find((name) => name === fields.get("theme"));
  return theme === undefined
    ? fail({ reason: "bad-fields", expected: `a theme: ${THEMES.join(", ")}` })
    : ok(theme);
}

/** The path and query of an address on this very host; the start page for any other. */
function pathOn({ origin }: URL, back: unknown): string {
  const path = typeof back === "string" && back.startsWith("/") ? back : "/";
  if (!URL.canParse(path, origin)) return "/";
  const url = new URL(path, origin);
  // Written out again it may still begin with two slashes, which lead to another host.
  return url.origin === origin && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
