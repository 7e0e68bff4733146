/**
 * A part of a page that the browser hydrates. Pages without islands load no React.
 * `client/islands.tsx` maps each name to its component.
 */
import type { ReactNode } from "react";

/** The server markup of an island. `props` are public: they are JSON in an attribute. */
export function Island(props: {
  readonly name: string;
  readonly props: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}) {
  return (
    <div data-island={props.name} data-props={JSON.stringify(props.props)}>
      {props.children}
    </div>
  );
}
