/**
 * Pages that use every special case of React's server renderer, for comparing two of its builds.
 */
import { type ReactNode, Suspense } from "react";
import { preconnect, preinit, preload } from "react-dom";
import { Late } from "./react-steps.tsx";

/** A promise that settles when the test opens its gate; gates open in the order of creation. */
export type Later = <T>(value: T | Error) => Promise<T>;

/** Creates a page for one render, because its promises settle only once. */
export type CreatePage = (later: Later) => ReactNode;

function Fails({ message }: { message: string }): ReactNode {
  throw new Error(message);
}

function Waits({ name, children }: { name: string; children: ReactNode }) {
  return <Suspense fallback={<i>{name} …</i>}>{children}</Suspense>;
}

function document(content: ReactNode): ReactNode {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>{content}</body>
    </html>
  );
}

function Hints() {
  preload("/font.woff2", { as: "font", crossOrigin: "anonymous" });
  preload("/hero.avif", { as: "image", fetchPriority: "high" });
  preconnect("https://cdn.example");
  preinit("/late.js", { as: "script" });
  return <p>hints</p>;
}

const TEXTS = [
  "<b> & \"quotes\" 'single' </b> <!-- --> ]]>",
  "日本語 und Ümläute, עברית, ﷽",
  "👩‍👩‍👧 🏳️‍🌈 e\u0301 \u{10ffff}",
  "half a pair: \ud83d, the other: \ude00",
  "nothing \u0000 and \u2028 and \r\n newlines",
  `long ${"ä".repeat(5_000)}`,
  `very long ${"x<y ".repeat(20_000)}`,
];

/** One page per special case, by name. */
export const pages: Readonly<Record<string, CreatePage>> = {
  "texts in every place": () =>
    document(
      TEXTS.map((text, index) => (
        <p key={index} title={text} data-text={text}>
          {text}
          {text}
          {index} {"\ud83d"}
          {"\ude00"}
        </p>
      )),
    ),
  "fifty boundaries": (later) =>
    document(
      Array.from({ length: 50 }, (_, n) => (
        <Waits key={n} name={`the ${n}th`}>
          <Late value={later(<p className="delayed">{`${n} ${"日本語 ".repeat(n * 7)}`}</p>)} />
        </Waits>
      )),
    ),
  "boundaries that fail at once, and late": (later) =>
    document(
      <>
        <Waits name="now">
          <Fails message={'at once </script> "quoted"'} />
        </Waits>
        {[1, 2, 3].map((n) => (
          <Waits key={n} name="late">
            <Late value={later<ReactNode>(n === 2 ? <b>fine</b> : new Error(`late ${n}`))} />
          </Waits>
        ))}
      </>,
    ),
  "boundaries in boundaries": (later) =>
    document(
      <Waits name="outer">
        <Late value={later(<h2>outer</h2>)} />
        <Waits name="middle">
          <Late value={later(<h3>{"middle ".repeat(300)}</h3>)} />
          <Waits name="inner">
            <Late value={later("inner")} />
          </Waits>
          <Waits name="failing">
            <Late value={later<ReactNode>(new Error("inner"))} />
          </Waits>
        </Waits>
        <Waits name="at once">here</Waits>
      </Waits>,
    ),
  "what is large, and so stands outside of its place": () =>
    document(
      <>
        <p>{"x".repeat(13_000)}</p>
        {/* A boundary counts as large from 500 bytes, not characters. */}
        {Array.from({ length: 20 }, (_, n) => (
          <Waits key={n} name={`${n}`}>
            {Array.from({ length: n }, (_, b) => (
              <b key={b}>{"ü".repeat(12)}</b>
            ))}
          </Waits>
        ))}
      </>,
    ),
  "what moves into the head": (later) =>
    document(
      <>
        <title>{`日本 & <title>`}</title>
        <meta name="description" content={'a "quoted" one'} />
        <link rel="canonical" href="https://desk.example/?a=1&b=2" />
        <link rel="stylesheet" href="/early.css" precedence="default" />
        <style href="inline" precedence="high">{`p > a { content: "<" }`}</style>
        <Hints />
        <Waits name="styled">
          <link rel="stylesheet" href="/late.css" precedence="default" />
          <style href="late" precedence="low">
            {"b { color: red }"}
          </style>
          <Late value={later(<Hints />)} />
        </Waits>
        <script async src="/async.js" />
      </>,
    ),
  "forms, and markup as it is": () =>
    document(
      <form method="post" action="/a?b=1&c=2">
        <textarea name="t" defaultValue={"\n first line\n<second>"} />
        <select name="s" defaultValue="2">
          <option value="1">one {1}</option>
          <option value="2">two</option>
        </select>
        <input type="checkbox" defaultChecked disabled name="c" />
        <input defaultValue={'"&'} readOnly autoComplete="off" tabIndex={0} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the test compares raw HTML */}
        <div dangerouslySetInnerHTML={{ __html: "<u>日本</u> &amp;<!--$!-->" }} />
        <p style={{ color: "red", lineHeight: 2, "--x": "y;z" } as object}>styled</p>
        <svg viewBox="0 0 4 4" role="img" aria-label="a line" xlinkHref="#a">
          <path d="M0 0h4" strokeWidth={2} />
        </svg>
        <pre>{"\nkept"}</pre>
      </form>,
    ),
  "tables and selections that come late": (later) =>
    document(
      <table>
        <tbody>
          <Waits name="row">
            <Late value={later(<tr data-late="">{<td>{"cell ".repeat(200)}</td>}</tr>)} />
          </Waits>
        </tbody>
      </table>,
    ),
};
