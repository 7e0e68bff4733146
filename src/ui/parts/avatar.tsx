/** A person as the initials of the name, with the name as its title. */

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** `AL` for Ada Lovelace: the first characters of the first and the last word. */
export function toInitials(name: string): string {
  const words = name
    .trim()
    .split(/[\s._@-]+/u)
    .filter((word) => word !== "");
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map(getFirstCharacter).join("").toLocaleUpperCase("en");
}

function getFirstCharacter(word: string): string {
  for (const { segment } of GRAPHEMES.segment(word)) return segment;
  return "";
}

/** A circle of 20 px. Screen readers read the name, after `about`. */
export function Avatar({ name, about }: { name: string; about?: string }) {
  return (
    <span className="avatar" title={about === undefined ? name : `${about} ${name}`}>
      <span aria-hidden="true">{toInitials(name)}</span>
      <bdi className="visually-hidden">{about === undefined ? name : `${about} ${name}`}</bdi>
    </span>
  );
}
