// The keys of errors outside of JavaScript engines. They are frozen with version 1: see
// grouping-v1.test.ts.

import { describe, expect, it } from "vitest";
import { type Groupable, groupReport } from "#src/core/grouping/grouping.ts";
import type { Frame } from "#src/core/report.ts";

const f = (name: string, rest: Partial<Frame> = {}): Frame => ({
  function: name,
  inApp: true,
  ...rest,
});

const rows: readonly { name: string; report: Partial<Groupable>; key: string }[] = [
  {
    name: "an attribute of None",
    report: {
      platform: "python",
      type: "AttributeError",
      message: "'NoneType' object has no attribute 'price'",
      frames: [f("total", { module: "shop.bill" })],
    },
    key: "1|error|AttributeError|attribute price of NoneType|shop.bill#total",
  },
  {
    name: "a suggestion of Python 3.13",
    report: {
      platform: "python",
      type: "AttributeError",
      message: "'Bill' object has no attribute 'totl'. Did you mean: 'total'?",
      frames: [f("total", { module: "shop.bill" })],
    },
    key: "1|error|AttributeError|attribute totl of Bill|shop.bill#total",
  },
  {
    name: "a module that is not installed",
    report: {
      platform: "python",
      type: "ModuleNotFoundError",
      message: "No module named 'psycopg2'",
      frames: [f("<module>", { file: "/srv/app/shop/db.py" })],
    },
    key: "1|error|ModuleNotFoundError|module psycopg2|shop/db#<module>",
  },
  {
    name: "a comprehension",
    report: {
      platform: "python",
      type: "TypeError",
      message: "unsupported operand type(s) for +: 'int' and 'NoneType'",
      frames: [f("<listcomp>", { module: "shop.bill" }), f("total", { module: "shop.bill" })],
    },
    key: "1|error|TypeError|unsupported operand type(s) for +: int and NoneType|shop.bill#total",
  },
  {
    name: "a key that is a value",
    report: {
      platform: "python",
      type: "KeyError",
      message: "'EUR'",
      frames: [f("rate", { module: "shop.money" })],
    },
    key: "1|error|KeyError||shop.money#rate",
  },
  {
    name: "a key that is a name",
    report: {
      platform: "python",
      type: "KeyError",
      message: "'site_id'",
      frames: [f("handle", { module: "shop.hooks" })],
    },
    key: "1|error|KeyError|key site_id|shop.hooks#handle",
  },
  {
    name: "data that no parser understands",
    report: {
      platform: "python",
      type: "JSONDecodeError",
      message: "Expecting value: line 1 column 1 (char 0)",
      frames: [f("load", { module: "shop.api" })],
    },
    key: "1|error|JSONDecodeError||shop.api#load",
  },
  {
    name: "Ruby 3.3",
    report: {
      platform: "ruby",
      type: "NoMethodError",
      message: "undefined method `total' for nil:NilClass",
      frames: [f("block in total", { file: "/srv/app/models/bill.rb" })],
    },
    key: "1|error|NoMethodError|method total of nil|models/bill#total",
  },
  {
    name: "Ruby 3.4",
    report: {
      platform: "ruby",
      type: "NoMethodError",
      message: "undefined method 'total' for nil",
      frames: [f("Bill#total", { file: "/srv/app/models/bill.rb" })],
    },
    key: "1|error|NoMethodError|method total of nil|models/bill#total",
  },
  {
    name: "an inspected receiver",
    report: {
      platform: "ruby",
      type: "NoMethodError",
      message: "undefined method `price' for #<Shop::Item:0x00007f1 @id=3>",
      frames: [f("total", { file: "app/models/bill.rb" })],
    },
    key: "1|error|NoMethodError|method price of Shop::Item|models/bill#total",
  },
  {
    name: "PHP 7",
    report: {
      platform: "php",
      type: "ErrorException",
      message: "Undefined index: price",
      frames: [f("App\\Bill::total", { file: "/app/Bill.php" })],
    },
    key: "1|error|ErrorException|key price|App\\Bill#total",
  },
  {
    name: "PHP 8",
    report: {
      platform: "php",
      type: "ErrorException",
      message: 'Warning: Undefined array key "price"',
      frames: [f("App\\Bill::total", { file: "/app/Bill.php" })],
    },
    key: "1|error|ErrorException|key price|App\\Bill#total",
  },
  {
    name: "an argument of the wrong type",
    report: {
      platform: "php",
      type: "TypeError",
      message:
        "App\\Bill::total(): Argument #1 ($lines) must be of type array, null given, called in /app/a.php on line 3",
      frames: [f("App\\Bill::total")],
    },
    key: "1|error|TypeError|argument #1 of App\\Bill::total is null|App\\Bill#total",
  },
  {
    name: "a helpful null pointer message",
    report: {
      platform: "java",
      type: "java.lang.NullPointerException",
      message: 'Cannot invoke "com.acme.Customer.getEmail()" because "c" is null',
      frames: [f("compose", { module: "com.acme.LetterService" })],
    },
    key: "1|error|NullPointerException|Cannot invoke com.acme.Customer.getEmail()|com.acme.LetterService#compose",
  },
  {
    name: "a Kotlin coroutine",
    report: {
      platform: "java",
      type: "IllegalStateException",
      message: "order 12 is closed",
      frames: [f("invokeSuspend", { module: "com.acme.Bill$total$2" })],
    },
    key: "1|error|IllegalStateException|order * is closed|com.acme.Bill#total",
  },
  {
    name: "a proxy of Spring",
    report: {
      platform: "java",
      type: "java.lang.IllegalStateException",
      message: "closed",
      frames: [f("total", { module: "com.acme.Bill$$SpringCGLIB$$0" })],
    },
    key: "1|error|IllegalStateException|closed|com.acme.Bill#total",
  },
  {
    name: "a localized message of .NET",
    report: {
      platform: "dotnet",
      type: "System.NullReferenceException",
      message: "Der Objektverweis wurde nicht auf eine Objektinstanz festgelegt.",
      frames: [f("MoveNext", { module: "Shop.Bill+<Total>d__5" })],
    },
    key: "1|error|System.NullReferenceException||Shop.Bill#Total",
  },
  {
    name: "a parameter of .NET",
    report: {
      platform: "dotnet",
      type: "System.ArgumentNullException",
      message: "Wert darf nicht NULL sein.\nParametername: source",
      frames: [f("Total", { module: "Shop.Bill" })],
    },
    key: "1|error|System.ArgumentNullException|parameter source|Shop.Bill#Total",
  },
  {
    name: "a closure of Go",
    report: {
      platform: "go",
      type: "*url.Error",
      message: 'Get "https://tax.example/v1?zip=94110": context deadline exceeded',
      frames: [f("(*Client).Rates.func1", { module: "github.com/acme/shop/tax/v2" })],
    },
    key: "1|error|*url.Error|no connection to tax.example|github.com/acme/shop/tax#(*Client).Rates",
  },
  {
    name: "a panic behind a handler that recovers",
    report: {
      platform: "go",
      type: "runtime.errorString",
      message: "runtime error: index out of range [5] with length 3",
      frames: [
        f("Recover.func1", { module: "github.com/acme/mw" }),
        { function: "gopanic", module: "runtime", inApp: false },
        f("Total", { module: "github.com/acme/bill" }),
      ],
    },
    key: "1|error|runtime.errorString|runtime error: index out of range [*] with length *|github.com/acme/bill#Total",
  },
  {
    name: "an unwrap of Rust",
    report: {
      platform: "rust",
      type: "panic",
      message:
        'called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file" }',
      frames: [f("shop::bill::total::{{closure}}::h0123456789abcdef")],
    },
    key: "1|error|panic|Result::unwrap on Err Os NotFound|shop::bill#total",
  },
  {
    name: "a function clause of Elixir",
    report: {
      platform: "elixir",
      type: "FunctionClauseError",
      message: "no function clause matching in Shop.Bill.total/1",
      frames: [f("Shop.Bill.total/1", { module: "Elixir.Shop.Bill" })],
    },
    key: "1|error|FunctionClauseError|no function clause matching in Shop.Bill.total/1|Shop.Bill#total/1",
  },
  {
    name: "a signal",
    report: {
      platform: "native",
      type: "SIGSEGV",
      message: "Segfault at 0x7f00",
      frames: [f("Bill::total(int) const", { package: "/app/libshop.so.2" })],
    },
    key: "1|error|SIGSEGV||libshop.so#Bill::total",
  },
  {
    name: "images without symbols",
    report: {
      platform: "native",
      type: "EXC_BAD_ACCESS",
      message: "KERN_INVALID_ADDRESS at 0x0",
      frames: [
        f("", { package: "/private/var/Shop.app/Shop", address: "0x104" }),
        { package: "/usr/lib/libfoo.dylib", inApp: false },
      ],
    },
    key: "1|error|EXC_BAD_ACCESS||shop",
  },
  {
    name: "a violated constraint, in any language",
    report: {
      platform: "other",
      type: "Error",
      message: "doppelter Schlüsselwert verletzt Unique-Constraint „orders_email_key“",
      frames: [],
    },
    key: "1|error|Error|constraint orders_email_key",
  },
  {
    name: "digits of another script",
    report: { platform: "other", type: "Error", message: "سقف ٣٤٥٦ تجاوز", frames: [] },
    key: "1|error|Error|سقف * تجاوز",
  },
  {
    name: "a status",
    report: {
      platform: "other",
      type: "HttpError",
      message: "Request failed with status code 503",
      frames: [f("send", { module: "shop.http" }), f("charge", { module: "shop.pay" })],
    },
    key: "1|error|HttpError|Request failed with status code 503|shop.http#send < shop.pay#charge",
  },
  {
    name: "a service behind an address",
    report: {
      platform: "other",
      type: "Error",
      message: "connect ECONNREFUSED 10.0.3.17:6379",
      frames: [],
    },
    key: "1|error|Error|connect ECONNREFUSED *:6379",
  },
  {
    name: "a function of a server that is not bundled",
    report: {
      platform: "javascript",
      type: "TypeError",
      message: "Cannot read properties of undefined (reading 'price')",
      frames: [f("Bill.total", { file: "/srv/shop/src/bill.js" })],
      side: "server",
    },
    key: "1|error|TypeError|property: price of undefined|src/bill.js#total",
  },
  {
    name: "a bundle that keeps names",
    report: {
      platform: "javascript",
      type: "Error",
      message: "Network connection lost.",
      frames: [
        f("originCatalogue2", { file: "/index.js" }),
        f("Object.fetch", { file: "/index.js" }),
      ],
      side: "server",
      route: "/catalogue",
    },
    key: "1|error|Error|Network connection lost|originCatalogue",
  },
  {
    name: "a component that a server renders",
    report: {
      platform: "javascript",
      type: "TypeError",
      message: "Cannot read properties of undefined (reading 'price')",
      frames: [f("readPrice", { file: "/index.js" }), f("Cart", { file: "/index.js" })],
      side: "server",
      route: "/cart/:id",
    },
    key: "1|error|TypeError|property: price of undefined|readPrice",
  },
  {
    name: "a script of another site",
    report: {
      platform: "javascript",
      type: "TypeError",
      message: "Failed to fetch",
      frames: [f("flush", { file: "https://cdn.metrics.example.net/b.js" })],
      route: "/inbox",
      url: "https://app.example/inbox",
    },
    key: "1|error|TypeError|request failed|/inbox in example.net",
  },
  {
    name: "a generic text",
    report: {
      platform: "javascript",
      type: "HttpError",
      message: "Request failed with status 500",
      frames: [f("t", { file: "https://app.example/a.js" })],
      route: "/editor",
      url: "https://app.example/editor",
    },
    key: "1|error|HttpError|Request failed with status 500|/editor",
  },
  {
    name: "Hermes",
    report: {
      platform: "react-native",
      type: "ReferenceError",
      message: "Property 'fetchCart' doesn't exist",
      frames: [],
    },
    key: "1|error|ReferenceError|not defined: fetchCart",
  },
  {
    name: "a missing package",
    report: {
      platform: "javascript",
      type: "Error",
      message: "Cannot find module 'pg'\nRequire stack:\n- /srv/db.js",
      frames: [],
      side: "server",
    },
    key: "1|error|Error|module not found: pg",
  },
];

describe("version 1", () => {
  for (const { name, report, key } of rows) {
    it(`gives one key to ${name}`, () => {
      const created = groupReport({
        kind: "error",
        side: report.platform === "javascript" ? "browser" : "server",
        type: "Error",
        message: "",
        frames: [],
        ...report,
      });
      expect(created.key).toBe(key);
    });
  }
});
