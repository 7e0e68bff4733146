/** Recognizes pictures that are pasted, dropped or chosen anywhere on the desk. */

/** Reads the picture of an event, if it has one. Text that comes with a picture is left alone. */
export function handlePicture(event: Event): void {
  const target = event.target as HTMLElement;
  const isLookup = target.matches?.("[data-lookup-input], [data-picture]");
  // Elsewhere, a field with a text keeps it.
  if (!isLookup && (target.matches?.("input, textarea") || target.isContentEditable)) return;
  const { clipboardData: pasted } = event as ClipboardEvent;
  const data = pasted ?? (event as DragEvent).dataTransfer;
  const item = [...(data?.items ?? [])].find(({ type }) => type.startsWith("image/"));
  const chosen = target.matches?.("[data-picture]") && (target as HTMLInputElement).files?.[0];
  if ((!item && !chosen) || pasted?.types.includes("text/plain")) return;
  event.preventDefault();
  // A picture that is dropped on a stack is no source map.
  event.stopImmediatePropagation();
  const file = chosen || (event.type !== "dragover" && item?.getAsFile());
  if (file) void import("./show-picture.ts").then(({ showPicture }) => showPicture(file));
}
