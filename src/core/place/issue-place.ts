/** Where reports of an issue fail in the original source. Pure. */

/** The first frame of the application that a source map resolved. */
export interface IssuePlace {
  /** `src/cart.tsx` */
  readonly file: string;
  readonly line: number;
  readonly function?: string;
}

/** `cart.tsx:41 in readPrice`; without the function if its name is unknown. */
export function formatPlace({ file, line, function: name }: IssuePlace): string {
  const place = `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
  return name === undefined ? place : `${place} in ${name}`;
}
