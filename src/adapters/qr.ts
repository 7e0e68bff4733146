/** `errata/qr`: QR codes of receipts. A module of its own, because it is larger than the notice. */

import { encode } from "uqr";

/** A QR code as the path of an SVG. */
export interface QrCode {
  /** Width and height of the view box, with the quiet zone of two modules. */
  readonly size: number;
  /** One square of 1 for each dark module. */
  readonly path: string;
}

/** The code of a URL, for `createNoticeHtml` and `<Notice>`. */
export function createQrCode(url: string): QrCode {
  const { size, data } = encode(url, { ecc: "L", border: 2 });
  const rows = data.map((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""),
  );
  return { size, path: rows.join("") };
}
