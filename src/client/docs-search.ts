/**
 * The search of the documentation: links to matching sections below the field, while one types. The
 * index is loaded when the field gets the focus. Without scripts, the form opens `/docs/search`.
 */
import { type DocsIndex, type DocsMatch, searchDocs } from "../core/docs/search-docs.ts";

const field = document.querySelector<HTMLInputElement>("[data-docs-search]");
if (field) startSearch(field);

function startSearch(input: HTMLInputElement): void {
  const box = input.form?.appendChild(document.createElement("div"));
  if (!box) return;
  box.className = "docs-found";
  box.hidden = true;
  const status = box.appendChild(document.createElement("p"));
  status.role = "status";
  const list = box.appendChild(document.createElement("ul"));
  let index: Promise<DocsIndex> | undefined;

  const load = () => {
    index ??= fetch(input.dataset.docsSearch ?? "").then((response) => response.json());
    return index;
  };
  const show = async () => {
    const query = input.value;
    const loaded = await load().catch(() => undefined);
    if (query !== input.value || !loaded) return;
    const matches = searchDocs(loaded, query);
    box.hidden = query.trim() === "";
    status.textContent = matches.length === 0 ? "Nothing found" : `${matches.length} found`;
    list.replaceChildren(...matches.map(createItem));
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      box.hidden = true;
      input.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const places: HTMLElement[] = [input, ...list.querySelectorAll("a")];
    const at = places.indexOf(document.activeElement as HTMLElement);
    places[(at + step + places.length) % places.length]?.focus();
    event.preventDefault();
  };
  input.addEventListener("focus", () => void load().catch(() => (index = undefined)));
  input.addEventListener("input", () => void show());
  input.form?.addEventListener("keydown", move);
  document.addEventListener("keydown", (event) => {
    const isTyping = (event.target as Element).matches("input, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

function createItem({ url, title, heading, excerpt }: DocsMatch): HTMLElement {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = heading === undefined ? title : `${title} › ${heading}`;
  link.appendChild(document.createElement("span")).textContent = excerpt;
  const item = document.createElement("li");
  item.append(link);
  return item;
}
