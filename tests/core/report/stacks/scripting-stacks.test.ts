import { describe, expect, it } from "vitest";
import type { Platform } from "#src/core/report.ts";
import { formatStack } from "#support/reports/format-stack.ts";

interface Case {
  readonly name: string;
  /** Absent if the format has to be recognized. */
  readonly platform?: Platform;
  readonly text: string;
  /** As `formatStack` writes them. */
  readonly lines: readonly string[];
}

const PYTHON_CASES: readonly Case[] = [
  {
    name: "a chained exception in a log",
    text: `Checkout failed
Traceback (most recent call last):
  File "/srv/venv/lib/python3.12/site-packages/flask/app.py", line 880, in full_dispatch_request
    rv = self.dispatch_request()
         ^^^^^^^^^^^^^^^^^^^^^^^
  File "/srv/shop/bill.py", line 4, in total
    return (a
            | b)
            ^^^^
  [Previous line repeated 996 more times]
KeyError: 'x'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/shop/pay.py", line 3, in <module>
shop.errors.Failed: charge
failed twice`,
    lines: [
      "python shop.errors.Failed: charge\nfailed twice",
      "  <module> @ /srv/shop/pay.py:3",
      "0 > KeyError: 'x'",
      "  total @ /srv/shop/bill.py:4 « return (a »",
      "* full_dispatch_request @ /srv/venv/lib/python3.12/site-packages/flask/app.py:880 « rv = self.dispatch_request() »",
    ],
  },
  {
    name: "an exception while another one was handled",
    platform: "python",
    text: `Traceback (most recent call last):
  File "/srv/shop/cart.py", line 8, in load
    return cache[key]
KeyError: 'cart:7'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/shop/cart.py", line 10, in load
    return db.read(key)
  File "/usr/lib/python3.13/sqlite3/dbapi2.py", line 70, in read
    raise OperationalError
sqlite3.OperationalError`,
    lines: [
      "python sqlite3.OperationalError: ",
      "* read @ /usr/lib/python3.13/sqlite3/dbapi2.py:70 « raise OperationalError »",
      "  load @ /srv/shop/cart.py:10 « return db.read(key) »",
      "0 > KeyError: 'cart:7'",
      "  load @ /srv/shop/cart.py:8 « return cache[key] »",
    ],
  },
  {
    name: "a task group with a chain and a nested group",
    platform: "python",
    text: `  + Exception Group Traceback (most recent call last):
  |   File "/srv/x.py", line 5, in main
  |     async with asyncio.TaskGroup() as tg:
  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/x.py", line 9, in a
    |     raise ValueError("a")
    | ValueError: a
    | 
    | During handling of the above exception, another exception occurred:
    | 
    | Traceback (most recent call last):
    |   File "/srv/x.py", line 11, in a
    |     raise RuntimeError("b")
    | RuntimeError: b
    +---------------- 2 ----------------
    | Exception Group Traceback (most recent call last):
    |   File "/srv/x.py", line 15, in c
    |     raise ExceptionGroup("inner", [KeyError("deep"), ValueError()])
    | ExceptionGroup: inner (2 sub-exceptions)
    +-+---------------- 1 ----------------
      | KeyError: 'deep'
      +---------------- 2 ----------------
      | ValueError
      +------------------------------------
`,
    lines: [
      "python group ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)",
      "  main @ /srv/x.py:5 « async with asyncio.TaskGroup() as tg: »",
      "0 > RuntimeError: b",
      '  a @ /srv/x.py:11 « raise RuntimeError("b") »',
      "1 > ValueError: a",
      '  a @ /srv/x.py:9 « raise ValueError("a") »',
      "0 > group ExceptionGroup: inner (2 sub-exceptions)",
      '  c @ /srv/x.py:15 « raise ExceptionGroup("inner", [KeyError("deep"), ValueError()]) »',
      "3 > KeyError: 'deep'",
      "3 > ValueError: ",
    ],
  },
  {
    name: "a group that caused another exception",
    text: `  + Exception Group Traceback (most recent call last):
  |   File "/srv/x.py", line 5, in main
  |     run()
  | ExceptionGroup: many (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/x.py", line 9, in a
    |     raise ValueError("a")
    | ValueError: a
    +------------------------------------

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/x.py", line 20, in <module>
    main()
RuntimeError: failed`,
    lines: [
      "python RuntimeError: failed",
      "  <module> @ /srv/x.py:20 « main() »",
      "0 > group ExceptionGroup: many (1 sub-exception)",
      "  main @ /srv/x.py:5 « run() »",
      "1 > ValueError: a",
      '  a @ /srv/x.py:9 « raise ValueError("a") »',
    ],
  },
  {
    name: "a group that ends with a group, and an exception while it was handled",
    text: `  + Exception Group Traceback (most recent call last):
  |   File "/srv/x.py", line 5, in main
  |     run()
  | ExceptionGroup: outer (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: a | b
    | second | line
    +---------------- 2 ----------------
    | ExceptionGroup: inner (1 sub-exception)
    +-+---------------- 1 ----------------
      | TypeError: t
      +------------------------------------

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/x.py", line 9, in <module>
    cleanup()
RuntimeError: failed`,
    lines: [
      "python RuntimeError: failed",
      "  <module> @ /srv/x.py:9 « cleanup() »",
      "0 > group ExceptionGroup: outer (2 sub-exceptions)",
      "  main @ /srv/x.py:5 « run() »",
      "1 > ValueError: a | b\nsecond | line",
      "1 > group ExceptionGroup: inner (1 sub-exception)",
      "3 > TypeError: t",
    ],
  },
  {
    name: "a syntax error",
    text: `Traceback (most recent call last):
  File "/srv/a.py", line 1, in <module>
    import b
  File "/srv/b.py", line 3
    def f(
         ^
SyntaxError: '(' was never closed`,
    lines: [
      "python SyntaxError: '(' was never closed",
      "  @ /srv/b.py:3 « def f( »",
      "  <module> @ /srv/a.py:1 « import b »",
    ],
  },
  {
    name: "an exception in another process",
    text: `multiprocessing.pool.RemoteTraceback: 
"""
Traceback (most recent call last):
  File "/srv/shop/pool.py", line 3, in work
    raise KeyError("x")
KeyError: 'x'
"""

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/shop/main.py", line 9, in <module>
    pool.map(work, items)
KeyError: 'x'`,
    lines: [
      "python KeyError: 'x'",
      "  <module> @ /srv/shop/main.py:9 « pool.map(work, items) »",
      "0 > KeyError: 'x'",
      '  work @ /srv/shop/pool.py:3 « raise KeyError("x") »',
    ],
  },
];

const RUBY_CASES: readonly Case[] = [
  {
    name: "full_message with a cause",
    text: `/srv/shop/app/models/bill.rb:4:in 'Bill#total': undefined method 'price' for nil (NoMethodError)

    a.price
     ^^^^^^
\tfrom /usr/local/bundle/gems/rack-3.0.8/lib/rack/sendfile.rb:114:in 'Rack::Sendfile#call'
\tfrom <internal:kernel>:187:in 'loop'
\tfrom (eval at /srv/shop/x.rb:3):1:in 'block (2 levels) in <main>'
/srv/shop/app/models/x.rb:2:in 'Hash#fetch': key not found: :a (KeyError)
second line
\tfrom C:/shop/x.rb:1:in 'y'`,
    lines: [
      "ruby NoMethodError: undefined method 'price' for nil",
      "  Bill#total @ /srv/shop/app/models/bill.rb:4",
      "* Rack::Sendfile#call @ /usr/local/bundle/gems/rack-3.0.8/lib/rack/sendfile.rb:114",
      "* loop @ <internal:kernel>:187",
      "  block (2 levels) in <main> @ (eval at /srv/shop/x.rb:3):1",
      "0 > KeyError: key not found: :a\nsecond line",
      "  Hash#fetch @ /srv/shop/app/models/x.rb:2",
      "  y @ C:/shop/x.rb:1",
    ],
  },
  {
    name: "before Ruby 3.4, with the oldest frame first",
    text: `Traceback (most recent call last):
\t1: from a.rb:1:in \`x'
a.rb:3:in \`y': gone (KeyError)
\t2: from a.rb:10:in \`<main>'
\t1: from a.rb:6:in \`b'
a.rb:2:in \`a': msg (Shop::NoPrice)`,
    lines: [
      "ruby Shop::NoPrice: msg",
      "  a @ a.rb:2",
      "  b @ a.rb:6",
      "  <main> @ a.rb:10",
      "0 > KeyError: gone",
      "  y @ a.rb:3",
      "  x @ a.rb:1",
    ],
  },
  {
    name: "a log of Rails",
    text: `NoMethodError (undefined method 'price' for nil):
  
app/models/bill.rb:4:in 'Bill#total'
app/controllers/x.rb:3:in 'block in Foo::Bar.baz'`,
    lines: [
      "ruby NoMethodError: undefined method 'price' for nil",
      "  Bill#total @ app/models/bill.rb:4",
      "  block in Foo::Bar.baz @ app/controllers/x.rb:3",
    ],
  },
  {
    name: "a log of Sidekiq",
    text: `Job failed
NoMethodError: undefined method 'price' for nil
/srv/app/models/bill.rb:4:in 'total'
/srv/app/controllers/x.rb:3:in 'baz'`,
    lines: [
      "ruby NoMethodError: undefined method 'price' for nil",
      "  total @ /srv/app/models/bill.rb:4",
      "  baz @ /srv/app/controllers/x.rb:3",
    ],
  },
];

const PHP_CASES: readonly Case[] = [
  {
    name: "an uncaught exception with a previous one",
    text: `PHP Fatal error:  Uncaught Shop\\CartException: no price in stock in /var/www/src/Bill.php:12
Stack trace:
#0 /var/www/src/Pay.php(30): Shop\\Bill->total(Array)
#1 [internal function]: Shop\\Pay::Shop\\{closure}(Object(X))
#2 /var/www/vendor/a/b.php(5): array_map(Object(Closure), Array)
#3 {main}

Next RuntimeException: charge failed in /var/www/src/Pay.php:31
Stack trace:
#0 /var/www/index.php(3): Shop\\Pay->charge()
#1 {main}
  thrown in /var/www/src/Pay.php on line 31`,
    lines: [
      "php RuntimeException: charge failed",
      "  Shop\\Pay::charge @ /var/www/src/Pay.php:31",
      "  @ /var/www/index.php:3",
      "0 > Shop\\CartException: no price in stock",
      "  Shop\\Bill::total @ /var/www/src/Bill.php:12",
      "  Shop\\Pay::Shop\\{closure} @ /var/www/src/Pay.php:30",
      "* array_map @ [internal]",
      "* @ /var/www/vendor/a/b.php:5",
    ],
  },
  {
    name: "the SDK of OpenTelemetry",
    platform: "php",
    text: `Shop.CartException: no price
\tat Shop.Bill.total(Bill.php:12)
\tat array_map(Unknown Source)
\tat {main}(index.php:9)
Caused by: PDOException: gone
\tat PDO.query(Db.php:3)
\t... 1 more`,
    lines: [
      "php Shop\\CartException: no price",
      "  Shop\\Bill::total @ Bill.php:12",
      "* array_map @ [internal]",
      "  {main} @ index.php:9",
      "0 > PDOException: gone",
      "* PDO::query @ Db.php:3",
      "  {main} @ index.php:9",
    ],
  },
  {
    name: "only a trace, with a closure of PHP 8.4",
    platform: "php",
    text: `#0 /var/www/src/Pay.php(30): Shop\\Bill->total(Array)
#1 /var/www/index.php(3): {closure:Shop\\Pay::run():12}(1)
#2 {main}`,
    lines: [
      "php ?: ?",
      "  Shop\\Bill::total",
      "  {closure:Shop\\Pay::run():12} @ /var/www/src/Pay.php:30",
      "  @ /var/www/index.php:3",
    ],
  },
  {
    name: "a log of Laravel",
    text: `[2026-11-28 10:00:00] production.ERROR: no price {"exception":"[object] (Shop\\\\NoPrice(code: 0): no price at /srv/Bill.php:12)
[stacktrace]
#0 /srv/Pay.php(30): Shop\\\\Bill->total()
#1 {main}
"} `,
    lines: [
      "php Shop\\NoPrice: no price",
      "  Shop\\Bill::total @ /srv/Bill.php:12",
      "  @ /srv/Pay.php:30",
    ],
  },
];

describe("a stack of Python", () => {
  it.each(PYTHON_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("a stack of Ruby", () => {
  it.each(RUBY_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("a stack of PHP", () => {
  it.each(PHP_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});
