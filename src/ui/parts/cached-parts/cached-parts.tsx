/**
 * Parts of pages whose markup the server caches: rows, stacks, charts, menus. They are requested
 * more often than they change.
 */
import { createContext, type ReactNode, use } from "react";

/**
 * A part: a function whose markup depends on its props alone. It reads no context of the page, its
 * props are JSON, and its markup begins and ends with an element.
 */
export type Part<Props extends object> = (props: Props) => ReactNode;

/** Returns the markup of a part as React renders it. */
export type RenderPart = <Props extends object>(part: Part<Props>, props: Props) => string;

/** The cache of the server. Null in a browser. */
export const PartMarkup = createContext<RenderPart | null>(null);

interface CachedPartsProps<Props extends object> {
  readonly tag: "div" | "figure" | "footer" | "nav" | "ol" | "search" | "tbody" | "ul";
  /** Attributes of the element. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly part: Part<Props>;
  /** The props of each part, in order. */
  readonly items: readonly Props[];
}

/** An element that contains a part for each of `items`. */
export function CachedParts<Props extends object>({
  tag: Tag,
  attributes,
  part: Part,
  items,
}: CachedPartsProps<Props>) {
  const render = use(PartMarkup);
  if (render !== null) {
    const html = items.map((item) => render(Part, item)).join("");
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered it from the same data
    return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
  }
  return (
    <Tag {...attributes}>
      {items.map((item, index) => (
        <Part key={index} {...item} />
      ))}
    </Tag>
  );
}
