/** The page of one self-test: its description and the stage on which it fails. */
import type { ReactNode } from "react";
import { DeskLink } from "../parts/desk-context.tsx";
import type { SelfTestKind } from "./self-test-kinds.ts";

/** The client script links the browser's own report in `data-self-test-report`. */
export function SelfTestKindPage(props: {
  readonly kind: SelfTestKind;
  readonly children: ReactNode;
}) {
  return (
    <article className="self-test-kind">
      <p>
        <DeskLink href="/self-test">All self-tests</DeskLink>
      </p>
      <h1>{props.kind.title}</h1>
      <p className="intro">{props.kind.description}</p>
      <section aria-label="Stage">{props.children}</section>
      <p data-self-test-report role="status"></p>
      <p>The rest of the page still works: look up the digest in the field above.</p>
    </article>
  );
}
