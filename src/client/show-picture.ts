/**
 * Opens what a pasted, dropped or chosen picture says: the code goes into the lookup. An unclear
 * picture leads to a choice, one without a code to a sentence. Loaded when the first picture comes.
 */
import { toLookupUrl } from "../ui/urls/lookup-urls.ts";
import { getBasePath } from "./live-socket.ts";
import { navigate } from "./navigation.ts";
import { decodePicture, type PictureCodes } from "./pictures/decode-picture.ts";

let current = 0;

/** Reads the picture and says so. A later picture replaces an earlier one. */
export async function showPicture(file: File): Promise<void> {
  const id = ++current;
  const note = showNote("Reading the picture…");
  // The note is painted before the picture is read.
  await new Promise((resolve) => setTimeout(resolve, 30));
  const codes = await decodePicture(file).catch(() => undefined);
  if (id !== current) return;
  if (codes === undefined) note.replaceChildren(write("This file is not a picture."), close(note));
  else if (codes.digests.length > 0) {
    note.remove();
    navigate(toUrl(codes.digests.join(" ")));
  } else note.replaceChildren(...explain(codes), close(note));
  if (note.isConnected) document.querySelector<HTMLElement>("[data-lookup-input]")?.focus();
}

function explain({ suggestions }: PictureCodes): readonly Node[] {
  if (suggestions.length === 0)
    return [
      write(
        "No code was found in this picture. Type the eight characters, such as 7F3K-Q2M9, or paste the text of the message.",
      ),
    ];
  const list = document.createElement("ul");
  for (const suggestion of suggestions) {
    const link = document.createElement("a");
    link.href = toUrl(suggestion).href;
    link.append(Object.assign(document.createElement("code"), { textContent: suggestion }));
    list.appendChild(document.createElement("li")).append(link);
  }
  return [write("The picture is not clear. Which of these does it show?"), list];
}

function showNote(text: string): HTMLElement {
  const note = document.createElement("div");
  note.className = "flash picture-note";
  note.append(write(text));
  document.querySelector(".picture-note")?.remove();
  document.querySelector("main")?.prepend(note);
  return note;
}

function write(text: string): HTMLElement {
  return Object.assign(document.createElement("p"), { role: "status", textContent: text });
}

function close(note: HTMLElement): HTMLElement {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: "Close",
  });
  button.onclick = () => note.remove();
  return button;
}

function toUrl(query: string): URL {
  return new URL(getBasePath() + toLookupUrl(query), location.href);
}
