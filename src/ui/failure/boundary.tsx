/**
 * A part of a page that may wait, and may fail, alone. While it waits it shows `loading`. When it fails on the server, the
 * notice stands in its place (`render/notices.ts` puts it there, because React renders no error boundary on a server); when
 * it fails in the browser, the error boundary here shows the same notice.
 *
 * `loading` must not contain a boundary of its own.
 */
import { Component, createContext, type ReactNode, Suspense } from "react";
import { Notice } from "./notice.tsx";

/** What the server showed in the place of a boundary that failed there. */
export interface ServerFailure {
  readonly digest: string;
  readonly reportId?: string | undefined;
}

/**
 * The failures that the server's markup shows, by the boundary's name. React hands a digest to `onRecoverableError` alone, so
 * a boundary that fails in the browser too finds it here; `client/hydrate.tsx` reads it from the markup.
 */
export const ServerFailuresContext = createContext<ReadonlyMap<string, ServerFailure>>(new Map());

/** Children that may suspend or throw. `name` is unique on the page and stands in `data-boundary`. */
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

/** Shows the notice in place of children that failed in the browser. It does nothing on a server. */
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
