/**
 * A span of a chart: by drag, or by Shift and the arrow keys. Then the form of the chart shows what
 * happened in it. Without this script, one bar can be chosen, and the form has a button.
 */

import { announce } from "./status/connection.ts";

/** The bars from the one where a drag or a range of keys began, to the last one. */
let bars: HTMLElement[] = [];
let first = 0;
let last = 0;

/** Starts once for each document. */
export function startChartSpans(): void {
  document.addEventListener("pointerdown", (event) => {
    const bar = findBar(event.target);
    // A finger scrolls. It chooses one bar, and then the button.
    if (!bar || event.button || event.pointerType === "touch") return;
    begin(bar);
    document.addEventListener("pointermove", handleMove);
    document.addEventListener(
      "pointerup",
      () => {
        document.removeEventListener("pointermove", handleMove);
        submit();
      },
      { once: true },
    );
  });
  document.addEventListener("keydown", (event) => {
    const bar = findBar(event.target);
    if (!bar) return;
    const step = event.shiftKey && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const hasRange = bars.includes(bar) && first !== last;
    if (step) {
      if (!bars.includes(bar)) begin(bar);
      mark(last + step);
      announce(`${Math.abs(last - first) + 1} bars`);
    } else if (event.key === "Enter" && hasRange) submit();
    else return;
    event.preventDefault();
  });
}

function begin(bar: HTMLElement): void {
  bars = [...(bar.parentElement?.children ?? [])] as HTMLElement[];
  first = bars.indexOf(bar);
  mark(first);
}

function handleMove({ clientX }: PointerEvent): void {
  const index = bars.findIndex((bar) => bar.getBoundingClientRect().right > clientX);
  mark(index < 0 ? bars.length - 1 : index);
}

/** Marks the bars from the first to this one. */
function mark(index: number): void {
  last = Math.max(0, Math.min(bars.length - 1, index));
  for (const [n, bar] of bars.entries())
    bar.toggleAttribute("data-selected", n >= Math.min(first, last) && n <= Math.max(first, last));
}

/** Sends the form with the span of the marked bars as its field. */
function submit(): void {
  const form = bars[0]?.closest("form");
  const from = getSpan(bars[Math.min(first, last)])?.[0];
  const to = getSpan(bars[Math.max(first, last)])?.[1];
  const radio = form?.querySelector<HTMLInputElement>("[type=radio]");
  bars = [];
  if (!form || !radio || !from || !to) return;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = radio.name;
  field.value = `${from}-${to}`;
  for (const one of form.querySelectorAll<HTMLInputElement>("[type=radio]")) one.checked = false;
  form.append(field);
  form.requestSubmit();
}

function getSpan(bar: HTMLElement | undefined): readonly string[] | undefined {
  return (bar?.dataset.span ?? bar?.querySelector("input")?.value)?.split("-");
}

function findBar(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element
    ? target.closest<HTMLElement>("[data-chart-form] .chart-bars > *")
    : null;
}
