/** One kind of the self-test: what will happen, the stage where it happens, and the way from there. */
import type { ReactNode } from "react";
import { DeskLink } from "../parts/desk-context.tsx";
import type { SelfTestKind } from "./self-test-kinds.ts";

/** `children` is the stage. `data-self-test-report` is filled by the page's script with the way to the browser's own report. */
export function SelfTestKindPage(props: {
  readonly kind: SelfTestKind;
  readonly children: ReactNode;
}) {
  return (
    <article className="self-test-kind">
      <p>
        <DeskLink href="/self-test">All failures of the self-test</DeskLink>
      </p>
      <h1>{props.kind.title}</h1>
      <p className="intro">{props.kind.description}</p>
      <section aria-label="Stage">{props.children}</section>
      <p data-self-test-report role="status"></p>
      <p>The rest of the page is usable: look a digest up in the box above.</p>
    </article>
  );
}
