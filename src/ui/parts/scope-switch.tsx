/**
 * The environment and the period of a project's pages: buttons that open menus. A page has the
 * buttons of what it follows. The header has the menus; pages place the buttons where they fit, and
 * the header shows its own elsewhere.
 */
import { createContext, type ReactNode, use } from "react";
import { DEFAULT_SCOPE, describePeriod, PERIOD_NAMES, type Scope } from "../../core/scope.ts";
import { DeskForm, DeskLink, resolvePath, useDesk } from "./desk-context.tsx";
import { ChevronIcon } from "./icons.tsx";
import { abbreviate } from "./long-text.tsx";
import { ThemeContext } from "./theme-form.tsx";

/** The path of the page that lists every environment, and of the forms. */
export const SCOPE_PATH = "/scope";
/** The environment of a form that stands for all. */
export const ALL_ENVIRONMENTS = "*";

const ENVIRONMENT_CHARS = 40;

type ScopePart = keyof Scope;

/**
 * The pages whose content the scope filters, by what filters it. Home has a switch of its own.
 * `isOnlyCharted`: the period is that of charts; lists and counts are of all time.
 */
const SCOPED_PAGES = {
  issues: { name: "The list of issues", parts: ["environment", "period"], isOnlyCharted: true },
  live: { name: "Live", parts: ["environment"] },
  home: { name: "Home", parts: ["period"] },
  issue: { name: "The chart of an issue", parts: ["period"], isOnlyCharted: true },
  releases: { name: "Releases", parts: ["period"] },
  policies: { name: "Policies", parts: ["period"], isOnlyCharted: true },
  allIssues: { name: "Issues of all projects", parts: ["period"], isOnlyCharted: true },
} as const satisfies Record<string, PageTraits>;

interface PageTraits {
  readonly name: string;
  readonly parts: readonly ScopePart[];
  readonly isOnlyCharted?: boolean;
}

export type ScopedPage = keyof typeof SCOPED_PAGES;

/** The names of the pages that a part filters. */
export function listScopedPages(part: ScopePart): readonly string[] {
  return Object.values(SCOPED_PAGES).flatMap(({ name, parts }) =>
    parts.some((one) => one === part) ? [name] : [],
  );
}

/** Provided to every page by `sendPage`. */
export const ScopeContext = createContext<Scope>(DEFAULT_SCOPE);

/** The environment and the period that this page shows. */
export function useScope(): Scope {
  return use(ScopeContext);
}

/** The buttons, in the list of issues. */
export function ScopeButtons() {
  return (
    <div className="scope-buttons">
      <Buttons page={SCOPED_PAGES.issues} />
    </div>
  );
}

/** The buttons and the menus of the header. */
export function ScopeMenus({ page }: { readonly page: ScopedPage }) {
  const desk = useDesk();
  const traits: PageTraits = SCOPED_PAGES[page];
  const { parts } = traits;
  return (
    <div className="header-menu scope">
      <Buttons page={traits} />
      {parts.includes("environment") && (
        <div
          id="scope-environment"
          className="menu"
          popover="auto"
          // The script replaces the list by that of the page.
          data-list-url={resolvePath(desk, SCOPE_PATH)}
        >
          <EnvironmentForm names={[]} />
          <DeskLink href={SCOPE_PATH} data-list-link="">
            Other environments
          </DeskLink>
        </div>
      )}
      {parts.includes("period") && (
        <div id="scope-period" className="menu" popover="auto">
          <PeriodForm />
        </div>
      )}
    </div>
  );
}

function Buttons({ page: { parts, isOnlyCharted = false } }: { readonly page: PageTraits }) {
  const { environment, period } = useScope();
  return (
    <>
      {parts.includes("environment") && (
        <button type="button" className="menu-button" popoverTarget="scope-environment">
          <small>
            Env<span className="visually-hidden">ironment</span>
          </small>
          <bdi>
            {environment === undefined ? "all" : abbreviate(environment, ENVIRONMENT_CHARS)}
          </bdi>
          <ChevronIcon />
        </button>
      )}
      {parts.includes("period") && (
        <button type="button" className="menu-button" popoverTarget="scope-period">
          {isOnlyCharted ? (
            <small>
              Chart<span className="visually-hidden">: </span>
            </small>
          ) : (
            <span className="visually-hidden">Period: </span>
          )}
          <span className="long">{describePeriod(period).label}</span>
          <span className="short" aria-hidden="true">
            {describePeriod(period).short}
          </span>
          <ChevronIcon />
        </button>
      )}
    </>
  );
}

/** The environments as a list of buttons: all, the current one, and `names`. */
export function EnvironmentForm({ names }: { readonly names: readonly string[] }) {
  const { environment } = useScope();
  const others = names.filter((name) => name !== environment);
  return (
    <ScopeForm>
      <Option name="environment" value={ALL_ENVIRONMENTS} isCurrent={environment === undefined}>
        All environments
      </Option>
      {[environment, ...others].map(
        (name) =>
          name !== undefined && (
            <Option key={name} name="environment" value={name} isCurrent={name === environment}>
              <bdi>{abbreviate(name, ENVIRONMENT_CHARS)}</bdi>
            </Option>
          ),
      )}
    </ScopeForm>
  );
}

/** The periods as a list of buttons. */
export function PeriodForm() {
  const { period } = useScope();
  return (
    <ScopeForm>
      {PERIOD_NAMES.map((name) => (
        <Option key={name} name="period" value={name} isCurrent={name === period}>
          {describePeriod(name).label}
        </Option>
      ))}
    </ScopeForm>
  );
}

function ScopeForm({ children }: { readonly children: ReactNode }) {
  const { returnTo } = use(ThemeContext);
  return (
    <DeskForm method="post" action={SCOPE_PATH}>
      <input type="hidden" name="returnTo" value={returnTo} />
      <ul>{children}</ul>
    </DeskForm>
  );
}

function Option({
  isCurrent,
  ...button
}: {
  readonly name: "environment" | "period";
  readonly value: string;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}) {
  return (
    <li>
      <button type="submit" {...button} aria-current={isCurrent ? "true" : undefined} />
    </li>
  );
}
