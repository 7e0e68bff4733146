/**
 * The corpus of pages that a front must not break. `¦` marks the place of the tag; a page without it
 * gets none. Characters above U+00FF do not occur: a text is turned into bytes of one character each.
 */

/** A page of the corpus. */
export interface CorpusPage {
  readonly name: string;
  /** The bytes, each as a character, with `¦` at the place of the tag. */
  readonly page: string;
  /** `text/html; charset=utf-8` by default. */
  readonly type?: string;
}

/** The mark of the place. In UTF-8 its bytes are no character of these pages. */
export const PLACE = "¦";

const words = "<p>row of words</p>";
const large = "x".repeat(5_000_000);
const amp = "\xe2\x9a\xa1";

/** Pages whose bytes alone decide. */
export const CORPUS_PAGES: readonly CorpusPage[] = [
  { name: "a whole page", page: `<!doctype html><html lang="en"><head>¦<title>x</title></head>` },
  {
    name: "a head with attributes",
    page: `<!DOCTYPE html>\n<HTML><HEAD data-a=">" b='>'>¦<TITLE>x`,
  },
  {
    name: "a head after a comment",
    page: `<!doctype html><!-- <head> --><html><!-- x --><head>¦x`,
  },
  { name: "a head after two comments that end early", page: `<!--><!---><html><head>¦<meta>` },
  { name: "a comment that ends with a bang", page: `<!-- <head> --!><html><head>¦<meta>` },
  {
    name: "a conditional comment around the root",
    page: `<!doctype html><!--[if IE]><html class="ie"><![endif]--><!--[if !IE]><!--><html><!--<![endif]--><head>¦`,
  },
  { name: "two heads", page: `<html><head>¦<title>x</title></head><head></head><body>` },
  { name: "no head", page: `<!doctype html><html lang=en>\n¦<title>x</title><body><p>x` },
  { name: "no head and no root", page: `<!doctype html>\n¦<title>x</title><p>x` },
  { name: "no head and a body", page: `<!doctype html><html>¦<body class="a"><p>x</body></html>` },
  { name: "no doctype, no root and no head", page: `\n ¦<p>x</p>` },
  { name: "text behind the doctype", page: `<!doctype html>¦Hello, <b>you</b>` },
  { name: "a header in place of a head", page: `<!doctype html>¦<header>x</header>` },
  { name: "an end tag in front of all", page: `<!doctype html>¦</p><p>x` },
  {
    name: "a script with a head",
    page: `<!doctype html>¦<script>document.write("<head>")</script><head>`,
  },
  {
    name: "a srcdoc with a head",
    page: `<!doctype html>¦<iframe srcdoc="<html><head></head>"></iframe>`,
  },
  { name: "a root with a bracket in a value", page: `<html data-x="a > b" lang=de><head>¦<title>` },
  { name: "a select that contains a title", page: `<html><head>¦</head><select><title>x</title>` },
  { name: "a frameset that contains a style", page: `<html><head>¦</head><frameset><style>x` },
  { name: "a frameset without a head", page: `<html>¦<frameset rows="*"><frame src="/a">` },
  { name: "an unfinished tag", page: `<!doctype html><html><head>¦<title>x</title><div class="` },
  { name: "an XML declaration", page: `<?xml version="1.0"?><!doctype html><html><head>¦<title>` },
  { name: "a byte order mark", page: `\xef\xbb\xbf<!doctype html><html><head>¦<title>\xc3\xbc` },
  { name: "a NUL", page: `<!doctype html><html><head>¦<title>\0</title><body>a\0b` },
  { name: "invalid UTF-8", page: `<!doctype html><html><head>¦<title>\xff\xfe\xc3</title>` },
  {
    name: "Latin-1",
    page: `<!doctype html><html><head>¦<title>Gr\xfc\xdfe</title>`,
    type: "text/html; charset=iso-8859-1",
  },
  {
    name: "Shift_JIS",
    page: `<!doctype html><html><head>¦<title>\x83\x5c\x83\x7c</title>`,
    type: 'text/html;charset="Shift_JIS"',
  },
  {
    name: "no charset in the header",
    page: `<html><head>¦<meta charset="windows-1252"><title>\xfc</title>${words.repeat(80)}`,
    type: "text/html",
  },
  {
    name: "no charset at all",
    page: `<html><head>¦<title>x</title>${words.repeat(80)}`,
    type: "text/html",
  },
  {
    name: "a charset that the tag would push out of the first 1024 bytes",
    page: `<html><head><!-- ${"x".repeat(900)} --><meta charset="windows-1252">${words.repeat(80)}`,
    type: "text/html",
  },
  { name: "an attribute of 5 MB", page: `<html><head>¦<meta content="${large}"></head>` },
  { name: "a script of 5 MB", page: `<html><head>¦<script>/*${large}*/</script></head>` },
  { name: "a comment of 5 MB in front of all", page: `<!-- ${large} --><html><head></head>` },
  { name: "AMP", page: `<!doctype html><html amp lang="en"><head><script async src="x">` },
  { name: "AMP with its sign", page: `<!doctype html><html ${amp}><head></head>` },
  { name: "UTF-16", page: `\xff\xfe<\0!\0d\0o\0c\0t\0y\0p\0e\0>\0<\0h\0e\0a\0d\0>\0` },
  {
    name: "UTF-16, big end first",
    page: `\xfe\xff\0<\0!\0d\0o\0c\0t\0y\0p\0e\0>\0<\0h\0e\0a\0d\0>`,
  },
  { name: "UTF-16 without a mark", page: `<\0!\0d\0o\0c\0t\0y\0p\0e\0>\0<\0h\0e\0a\0d\0>\0` },
  { name: "JSON", page: `{"a":"<head>"}` },
  { name: "text", page: `OK` },
  { name: "a feed", page: `<?xml version="1.0"?><rss><channel><title>x</title></channel></rss>` },
  { name: "a custom element alone", page: `<my-part><p>x</p></my-part>` },
  { name: "a doctype alone", page: `<!doctype html>` },
  {
    name: "a page that has the tag",
    page: `<html><head><script src="/x.js" data-errata></script>`,
  },
];

/** The bytes of a page without its mark. */
export function toBytes(page: string): Buffer {
  return Buffer.from(page.replace(PLACE, ""), "latin1");
}

/** The number of the byte in front of which the tag goes; undefined for none. */
export function findMark(page: string): number | undefined {
  const at = page.indexOf(PLACE);
  return at === -1 ? undefined : at;
}
