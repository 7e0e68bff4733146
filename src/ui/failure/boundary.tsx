/**
 * A part of a page that can suspend and fail without affecting the rest. If it fails on the server,
 * `render/notice-rewriter.ts` replaces it with the notice, because React renders no error
 * boundaries on a server; if it fails in the browser, `ErrorBoundary` shows the same notice.
 *
 * `loading` must not contain a boundary.
 */
import { Component, createContext, type ReactNode, Suspense } from "react";
import { Notice } from "./notice.tsx";

/** The codes of the notice that the server rendered for a failed boundary. */
export interface ServerFailure {
  readonly digest: string;
  readonly reportId?: string | undefined;
}

/**
 * The failures in the server's markup by boundary name. React passes the digest only to
 * `onRecoverableError`, so a boundary that also fails in the browser finds it here;
 * `client/hydrate.tsx` reads it from the markup.
 */
export const ServerFailuresContext = createContext<ReadonlyMap<string, ServerFailure>>(new Map());

/** Children that may suspend or throw. `name` is unique on the page (`data-boundary`). */
export function Boundary(props: {
  readonly name: string;
  readonly loading: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div data-boundary={props.name}>
      <ErrorBoundary name={props.name}>
        <Suspense fallback={props.loading}>{props.children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** Shows the notice in place of children that failed in the browser. No effect on a server. */
export class ErrorBoundary extends Component<
  { readonly name: string; readonly children: ReactNode },
  { readonly failed: boolean }
> {
  static override contextType = ServerFailuresContext;
  declare context: React.ContextType<typeof ServerFailuresContext>;
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const shown = this.context.get(this.props.name);
    return <Notice isCompact digest={shown?.digest} reportId={shown?.reportId} />;
  }
}
