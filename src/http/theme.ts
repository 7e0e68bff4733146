/** `POST /theme`: chooses the colours of Errata's pages in this browser, by a plain form or as JSON. */
import { fail, ok, type Result } from "../core/result.ts";
import { THEMES, type Theme } from "../ui/theme-form.tsx";
import { failureResponse } from "./failures.ts";
import { type Fields, type FieldsFailure, readFields, readsJson } from "./fields.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";
import { themeCookie } from "./theme-cookie.ts";

/**
 * Takes `theme` (`system`, `light` or `dark`) and `back`, a path of this host. 303 to `back`, by default the start page; JSON:
 * `{"theme":"dark"}`. 403 for what another site sent, 400, 413 or 415 for fields that choose nothing.
 */
export async function chooseTheme(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  const url = new URL(c.req.url);
  const fields = await readFields(c.req.raw);
  const chosen = fields.ok ? themeIn(fields.value) : fields;
  if (!chosen.ok) return failureResponse(chosen);
  c.header("Set-Cookie", themeCookie(chosen.value, url));
  const back = fields.ok ? fields.value.get("back") : undefined;
  return readsJson(c) ? c.json({ theme: chosen.value }) : c.redirect(pathOn(url, back), 303);
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
