/**
 * Source maps that a person drops onto a stack trace, or chooses in the file field next to it. The
 * code that reads them is loaded when the first file arrives.
 */

let isStarted = false;

/**
 * Handles dropped and chosen map files; called when a document first has a stack. Sections with
 * stacks have `data-stack-url`.
 */
export function startMapFiles(): void {
  if (isStarted) return;
  isStarted = true;
  document.addEventListener("dragover", (event) => {
    if (findStack(event) && event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files;
    if (files?.length && show(event, files)) event.preventDefault();
  });
  document.addEventListener("change", (event) => {
    const { files } = event.target as HTMLInputElement;
    if (files?.length) show(event, files);
  });
}

function findStack({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-stack-url]") : null;
}

/** Resolves the stack around the event's target. False if there is none. */
function show(event: Event, files: FileList): boolean {
  const stack = findStack(event);
  // Copies the files, because removing the input empties its list.
  const list = [...files];
  if (stack) void import("./local-stack.tsx").then(({ showStack }) => showStack(stack, list));
  return stack !== null;
}
