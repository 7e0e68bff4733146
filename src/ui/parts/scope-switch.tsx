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

/** What the content of a page may follow. */
export type ScopePart = keyof Scope;

export const WHOLE_SCOPE: readonly ScopePart[] = ["environment", "period"];

/** Provided to every page by `sendPage`. */
export const ScopeContext = createContext<Scope>(DEFAULT_SCOPE);

/** The environment and the period that this page shows. */
export function useScope(): Scope {
  return use(ScopeContext);
}

/** The buttons, in a page that follows the whole scope. */
export function ScopeButtons() {
  return (
    <div className="scope-buttons">
      <Buttons parts={WHOLE_SCOPE} />
    </div>
  );
}

/** The buttons and the menus of the header, for a page that follows these parts of the scope. */
export function ScopeMenus({ parts }: PartsProps) {
  const desk = useDesk();
  return (
    <div className="header-menu scope">
      <Buttons parts={parts} />
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

interface PartsProps {
  readonly parts: readonly ScopePart[];
}

function Buttons({ parts }: PartsProps) {
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
          <span className="visually-hidden">Period: </span>
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
