/**
 * Settings pages. A page is one module that declares its address, its role, its place in the
 * navigation, what it loads and what it shows. `http/desk/settings-pages.ts` lists all of them; routes,
 * navigation, titles and the tests of authorization derive from that list.
 */
import type { ReactNode } from "react";
import type { Role } from "../../core/accounts/registry.ts";
import type { Dependency } from "../../operations/operation.ts";
import type { DeskPage } from "../../ui/layout/desk-page.ts";
import { Layout } from "../../ui/layout/layout.tsx";
import { SettingsFrame, type SettingsLink } from "../../ui/layout/settings-frame.tsx";
import { FormError } from "../../ui/parts/form-error.tsx";
import type { AppContext } from "../context.ts";
import { sendPageWithFlash } from "../forms/flash-cookie.ts";
import type { RejectedForm } from "../forms/form-error-page.ts";
import { wantsJson } from "../send-page.tsx";
import { respondOrUnavailable } from "../unavailable.ts";

/** A settings page, as routes and the navigation see it. */
export interface SettingsPage {
  /** The path within a project, and the route. */
  readonly path: string;
  /** Who may open it; the navigation omits it for others. */
  readonly role: Role;
  /** The title of the document and the heading. */
  readonly title: string;
  /** Its word in the navigation; the title by default. */
  readonly word?: string;
  /** Sections that the navigation links to after the page: their words by id. */
  readonly sections?: Readonly<Record<string, string>>;
  /** True if `<path>.json` is the page as JSON. */
  readonly hasJson: boolean;
  readonly serve: (c: AppContext) => Promise<Response>;
}

/** What `definePage` takes. `Props` are those of the view, `Shown` what a change adds once. */
interface PageDefinition<Props extends object, Shown extends object>
  extends Omit<SettingsPage, "hasJson" | "serve"> {
  /** The page of the header's links that counts as current; the settings by default. */
  readonly current?: DeskPage;
  /** Loads the props, or responds instead. Promises are streamed. */
  load(c: AppContext, shown: Partial<Shown>): Props | Promise<Props | Response>;
  /** The content below the heading. */
  readonly view: (props: Props) => ReactNode;
  /** The text of the heading. */
  readonly note?: (props: Props) => ReactNode;
  /** The status of the page, 200 by default. */
  readonly status?: (props: Props) => number;
  /** The body or the response for programs, 503 if it rejects; absent if they get none. */
  readonly json?: (c: AppContext) => object | Promise<object>;
  /** What `json` depends on; the index by default. */
  readonly dependency?: Dependency;
}

/** A page that its own changes send again: with what they show once, or a rejected form. */
export interface DefinedPage<Shown extends object> extends SettingsPage {
  send(
    c: AppContext,
    shown?: Partial<Shown> & { readonly rejected?: RejectedForm },
  ): Promise<Response>;
}

/** Declares a settings page. */
export function definePage<Props extends object, Shown extends object = object>(
  definition: PageDefinition<Props, Shown>,
): DefinedPage<Shown> {
  const { path, role, title, word, sections, current = "settings" } = definition;
  const { json, dependency, note, status, view: View } = definition;

  async function send(
    c: AppContext,
    shown: Partial<Shown> & { readonly rejected?: RejectedForm } = {},
  ): Promise<Response> {
    const props = await definition.load(c, shown);
    if (props instanceof Response) return props;
    const { rejected } = shown;
    return sendPageWithFlash(c, (flash) => ({
      title,
      route: path,
      status: rejected?.status ?? status?.(props),
      content: (
        <Layout current={current} isSignedIn flash={flash}>
          <SettingsFrame current={path} title={title} note={note?.(props)}>
            <FormError message={rejected?.detail} />
            <View {...props} />
          </SettingsFrame>
        </Layout>
      ),
    }));
  }

  return {
    path,
    role,
    title,
    word,
    sections,
    hasJson: json !== undefined,
    serve: async (c) =>
      json !== undefined && wantsJson(c)
        ? respondOrUnavailable(c, async () => json(c), dependency)
        : send(c),
    send,
  };
}

/** The links of the navigation. */
export function toSettingsLinks(pages: readonly SettingsPage[]): readonly SettingsLink[] {
  return pages.flatMap(({ path, role, title, word = title, sections = {} }) => [
    { href: path, word, role },
    ...Object.entries(sections).map(([id, name]) => ({ href: `${path}#${id}`, word: name, role })),
  ]);
}
