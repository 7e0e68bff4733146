/**
 * A part of a page that the browser hydrates. Everything outside of islands is markup alone, so a page without islands needs
 * no React in the browser. `client/islands.tsx` knows the component behind each name.
 */
import type { ReactNode } from "react";

/** Server markup of an island: `props` travel as JSON in an attribute, so they must be plain data without secrets. */
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
