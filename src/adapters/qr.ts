/** `errata/qr`: QR codes of receipts. A module of its own, because it is larger than the notice. */

import { encode } from "uqr";

/** A QR code as the path of an SVG. */
export interface QrCode {
  /** Width and height of the view box, with the quiet zone of two modules. */
  readonly size: number;
  /** One square of 1 for each dark module. */
  readonly path: string;
}

const RECEIPT = /^(https?:\/\/[\w.:-]+(?:\/p\/\d+)?)\/e\/([\dA-Z]{4}-[\dA-Z]{4})$/;

/**
 * The code of a URL, for `createNoticeHtml` and `<Notice>`. The address of a receipt becomes
 * `HTTPS://ERRATA.EXAMPLE/R/7F3K-Q2M9`: Errata redirects it, and capitals need fewer modules.
 */
export function createQrCode(url: string): QrCode {
  const text = RECEIPT.test(url) ? url.replace(RECEIPT, "$1/R/$2").toUpperCase() : url;
  const { size, data } = encode(text, { ecc: "L", border: 2 });
  const rows = data.map((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""),
  );
  return { size, path: rows.join("") };
}
