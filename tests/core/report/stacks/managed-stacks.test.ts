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

const JAVA_CASES: readonly Case[] = [
  {
    name: "causes, suppressed exceptions and common frames",
    text: `Exception in thread "main" com.acme.ServiceException: charge failed
second line
\tat com.acme.shop.Pay.charge(Pay.java:30)
\tat com.acme.shop.Main$$Lambda$14/0x0000000800c03000.run(Unknown Source)
\tat java.base/java.lang.Thread.run(Thread.java:833)
\tSuppressed: java.io.IOException: close
\t\tat com.acme.shop.Res.close(Res.kt:5)
\t\t... 2 more
\tCaused by: java.io.EOFException
\t\tat com.acme.shop.Deep.x(Deep.scala:1) ~[deep-1.0.jar:1.0]
Caused by: java.net.SocketTimeoutException: Read timed out
\tat app//com.acme.shop.Http.post(Http.java:7)
\tat com.acme.shop.Pay.charge(Native Method)
\t... 2 more
Caused by: [CIRCULAR REFERENCE: com.acme.ServiceException: charge failed]`,
    lines: [
      "java com.acme.ServiceException: charge failed\nsecond line",
      "  com.acme.shop.Pay | charge @ Pay.java:30",
      "  com.acme.shop.Main$$Lambda$14/0x0000000800c03000 | run",
      "* java.lang.Thread | run @ Thread.java:833 [java.base]",
      "0 > java.net.SocketTimeoutException: Read timed out",
      "  com.acme.shop.Http | post @ Http.java:7",
      "  com.acme.shop.Pay | charge",
      "  com.acme.shop.Main$$Lambda$14/0x0000000800c03000 | run",
      "* java.lang.Thread | run @ Thread.java:833 [java.base]",
      "0 > java.io.IOException: close",
      "  com.acme.shop.Res | close @ Res.kt:5",
      "  com.acme.shop.Main$$Lambda$14/0x0000000800c03000 | run",
      "* java.lang.Thread | run @ Thread.java:833 [java.base]",
      "2 > java.io.EOFException: ",
      "  com.acme.shop.Deep | x @ Deep.scala:1 [deep-1.0.jar]",
    ],
  },
  {
    name: "the first cause first, as Logback can write it",
    text: `java.io.IOException: root
\tat com.acme.A.a(A.java:1)
\t... 1 common frames omitted
Wrapped by: com.acme.X: mid
\tat com.acme.B.b(B.java:2)
\tat com.acme.C.c(C.java:3)`,
    lines: [
      "java com.acme.X: mid",
      "  com.acme.B | b @ B.java:2",
      "  com.acme.C | c @ C.java:3",
      "0 > java.io.IOException: root",
      "  com.acme.A | a @ A.java:1",
      "  com.acme.C | c @ C.java:3",
    ],
  },
  {
    name: "an exception without frames of its own",
    platform: "java",
    text: `com.acme.NoPrice: no price
Caused by: com.acme.Gone: gone
\tat com.acme.B.b(B.java:2)`,
    lines: [
      "java com.acme.NoPrice: no price",
      "0 > com.acme.Gone: gone",
      "  com.acme.B | b @ B.java:2",
    ],
  },
  {
    name: "more common frames than the text has",
    platform: "java",
    text: `com.acme.ServiceException: charge failed
\tat com.acme.shop.Pay.charge(Pay.java:30)
Caused by: java.net.SocketTimeoutException: Read timed out
\tat com.acme.shop.Http.post(Http.java:7)
\t... 12 more`,
    lines: [
      "java com.acme.ServiceException: charge failed",
      "  com.acme.shop.Pay | charge @ Pay.java:30",
      "0 > java.net.SocketTimeoutException: Read timed out",
      "  com.acme.shop.Http | post @ Http.java:7",
    ],
  },
  {
    name: "Kotlin on Android",
    text: `Checkout failed: kotlin.UninitializedPropertyAccessException: lateinit property cart has not been initialized
\tat com.acme.shop.CartViewModel$load$1.invokeSuspend(CartViewModel.kt:31)
\tat kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)
\tat _COROUTINE._BOUNDARY._(CoroutineDebugging.kt:46)
\tat com.acme.shop.a.a(SourceFile:12)
\tat android.os.Handler.dispatchMessage(Handler.java:106)`,
    lines: [
      "java kotlin.UninitializedPropertyAccessException: lateinit property cart has not been initialized",
      "  com.acme.shop.CartViewModel$load$1 | invokeSuspend @ CartViewModel.kt:31",
      "* kotlin.coroutines.jvm.internal.BaseContinuationImpl | resumeWith @ ContinuationImpl.kt:33",
      "* _COROUTINE._BOUNDARY | _ @ CoroutineDebugging.kt:46",
      "  com.acme.shop.a | a @ SourceFile:12",
      "* android.os.Handler | dispatchMessage @ Handler.java:106",
    ],
  },
];

const DOTNET_CASES: readonly Case[] = [
  {
    name: "inner exceptions, state machines and generics",
    text: `Unhandled exception. System.InvalidOperationException: Outer
second line
 ---> System.Net.Sockets.SocketException (111): Connection refused
   at Acme.Shop.Bill.Total(Int32 id) in /src/Shop/Bill.cs:line 5
   at Acme.Shop.Bill.<>c.<Total>b__0_0(Object s)
   --- End of inner exception stack trace ---
   at Acme.Shop.Pay.<Charge>d__5.MoveNext() in C:\\Program Files (x86)\\a\\Pay.cs:line 12
--- End of stack trace from previous location ---
   at Acme.Shop.Repo\`1.Get[TKey,TValue](TKey a, Func\`2 b)
   at Acme.Shop.Pay..ctor(String a)
   at Acme.Shop.Program.<<Main>$>g__Run|0_0(String[] a)
   at System.Threading.Tasks.Task.Wait()`,
    lines: [
      "dotnet System.InvalidOperationException: Outer\nsecond line",
      "  Acme.Shop.Pay+<Charge>d__5 | MoveNext @ C:\\Program Files (x86)\\a\\Pay.cs:12",
      "  Acme.Shop.Repo`1 | Get[TKey,TValue]",
      "  Acme.Shop.Pay | .ctor",
      "  Acme.Shop.Program | <<Main>$>g__Run|0_0",
      "* System.Threading.Tasks.Task | Wait",
      "0 > System.Net.Sockets.SocketException: Connection refused",
      "  Acme.Shop.Bill | Total @ /src/Shop/Bill.cs:5",
      "  Acme.Shop.Bill+<>c | <Total>b__0_0",
    ],
  },
  {
    name: "inner exceptions on one line, with an arrow in a message",
    platform: "dotnet",
    text: `System.Exception: a ---> b ---> System.IO.IOException: c
   at A.B.C() in /src/x.cs:line 1
   --- End of inner exception stack trace ---
   at A.B.D() in /src/x.cs:line 2`,
    lines: [
      "dotnet System.Exception: a ---> b",
      "  A.B | D @ /src/x.cs:2",
      "0 > System.IO.IOException: c",
      "  A.B | C @ /src/x.cs:1",
    ],
  },
  {
    name: "the members of an AggregateException",
    text: `System.AggregateException: One or more errors occurred. (a) (b)
 ---> System.InvalidOperationException: a
   at A.B.C() in /src/x.cs:line 1
   --- End of inner exception stack trace ---
   at System.Threading.Tasks.Task.WaitAll(Task[] tasks)
   at A.B.Main() in /src/x.cs:line 9
 ---> (Inner Exception #1) System.ArgumentException: b (Parameter 'x')
 ---> System.IO.IOException: deep
   at A.B.E() in /src/x.cs:line 3
   --- End of inner exception stack trace ---
   at A.B.D() in /src/x.cs:line 2<---
`,
    lines: [
      "dotnet group System.AggregateException: One or more errors occurred. (a) (b)",
      "* System.Threading.Tasks.Task | WaitAll",
      "  A.B | Main @ /src/x.cs:9",
      "0 > System.InvalidOperationException: a",
      "  A.B | C @ /src/x.cs:1",
      "0 > System.ArgumentException: b (Parameter 'x')",
      "  A.B | D @ /src/x.cs:2",
      "2 > System.IO.IOException: deep",
      "  A.B | E @ /src/x.cs:3",
    ],
  },
  {
    name: "the same in the .NET Framework, which repeats the first member",
    platform: "dotnet",
    text: `System.AggregateException: One or more errors occurred. ---> System.InvalidOperationException: a
   at A.B.C() in C:\\x.cs:line 1
   --- End of inner exception stack trace ---
   at A.B.Main() in C:\\x.cs:line 9
---> (Inner Exception #0) System.InvalidOperationException: a
   at A.B.C() in C:\\x.cs:line 1<---
`,
    lines: [
      "dotnet group System.AggregateException: One or more errors occurred.",
      "  A.B | Main @ C:\\x.cs:9",
      "0 > System.InvalidOperationException: a",
      "  A.B | C @ C:\\x.cs:1",
    ],
  },
  {
    name: "German",
    text: `System.NullReferenceException: Der Objektverweis wurde nicht festgelegt.
 ---> System.Exception: x
   bei Acme.Bill.Load()
   --- Ende der internen Ausnahmestapelüberwachung ---
   bei Acme.Bill.Total(Int32 id) in C:\\src\\Bill.cs:Zeile 5.
--- Ende der Stapelüberwachung vom vorhergehenden Ort, an dem die Ausnahme ausgelöst wurde ---
   bei Acme.Bill.Main()`,
    lines: [
      "dotnet System.NullReferenceException: Der Objektverweis wurde nicht festgelegt.",
      "  Acme.Bill | Total @ C:\\src\\Bill.cs:5",
      "  Acme.Bill | Main",
      "0 > System.Exception: x",
      "  Acme.Bill | Load",
    ],
  },
  {
    name: "French",
    platform: "dotnet",
    text: `System.Exception: x
   à Acme.Bill.Total(Int32 id) dans C:\\src\\Bill.cs:ligne 5`,
    lines: ["dotnet System.Exception: x", "  Acme.Bill | Total @ C:\\src\\Bill.cs:5"],
  },
  {
    name: "Japanese",
    platform: "dotnet",
    text: `System.Exception: x
   場所 Acme.Bill.Total(Int32 id) 場所 C:\\src\\Bill.cs:行 5`,
    lines: ["dotnet System.Exception: x", "  Acme.Bill | Total @ C:\\src\\Bill.cs:5"],
  },
  {
    name: "Russian",
    platform: "dotnet",
    text: `System.Exception: x
   в Acme.Bill.Total(Int32 id) в C:\\src\\Bill.cs:строка 5`,
    lines: ["dotnet System.Exception: x", "  Acme.Bill | Total @ C:\\src\\Bill.cs:5"],
  },
  {
    name: "Turkish",
    platform: "dotnet",
    text: `System.Exception: x
   konum: Acme.Bill.Total(Int32 id) C:\\src\\Bill.cs içinde: satır 5`,
    lines: ["dotnet System.Exception: x", "  Acme.Bill | Total @ C:\\src\\Bill.cs:5"],
  },
  {
    name: "Mono",
    platform: "dotnet",
    text: `System.Exception: x
  at Acme.Bill.Total (System.Int32 id) [0x00012] in <5f2a>:0 
  at Acme.Bill.Main () [0x00000] in /src/Bill.cs:12 `,
    lines: [
      "dotnet System.Exception: x",
      "  Acme.Bill | Total",
      "  Acme.Bill | Main @ /src/Bill.cs:12",
    ],
  },
];

const ELIXIR_CASES: readonly Case[] = [
  {
    name: "an exception in a log, with arguments",
    text: `12:00:00.123 [error] GenServer Shop.Cart terminating
** (KeyError) key :price not found in: %{}
more
    (shop 0.1.0) lib/shop/bill.ex:12: Shop.Bill.total(nil, [1, 2], %{"a,b" => 1})
    (shop 0.1.0) lib/shop/bill.ex:14: anonymous fn/1 in Shop.Bill.all/2
    (elixir 1.15.4) lib/enum.ex:1693: Enum."-map/2-lists^map/1-1-"/2
    (stdlib 5.0) proc_lib.erl:241: :proc_lib.init_p_do_apply/3
    test/x_test.exs:3: (test)
Last message: :x`,
    lines: [
      "elixir KeyError: key :price not found in: %{}\nmore",
      "  Shop.Bill | total/3 @ lib/shop/bill.ex:12 [shop 0.1.0]",
      "  Shop.Bill | anonymous fn/1 in all/2 @ lib/shop/bill.ex:14 [shop 0.1.0]",
      '* Enum | "-map/2-lists^map/1-1-"/2 @ lib/enum.ex:1693 [elixir 1.15.4]',
      "* :proc_lib | init_p_do_apply/3 @ proc_lib.erl:241 [stdlib 5.0]",
      "  (test) @ test/x_test.exs:3",
    ],
  },
  {
    name: "an exit with its exception",
    text: `** (exit) exited in: GenServer.call(Shop.Cart, :total, 5000)
    ** (EXIT) an exception was raised:
        ** (ArgumentError) bad
            (shop 0.1.0) lib/shop/cart.ex:5: Shop.Cart.handle_call/3
            (stdlib 5.0) gen_server.erl:1: :gen_server.try_handle_call/4
    (elixir 1.15.4) lib/gen_server.ex:1063: GenServer.call/3
    (shop 0.1.0) lib/shop/web.ex:3: ShopWeb.Cart.show/2`,
    lines: [
      "elixir exit: exited in: GenServer.call(Shop.Cart, :total, 5000)",
      "* GenServer | call/3 @ lib/gen_server.ex:1063 [elixir 1.15.4]",
      "  ShopWeb.Cart | show/2 @ lib/shop/web.ex:3 [shop 0.1.0]",
      "0 > ArgumentError: bad",
      "  Shop.Cart | handle_call/3 @ lib/shop/cart.ex:5 [shop 0.1.0]",
      "* :gen_server | try_handle_call/4 @ gen_server.erl:1 [stdlib 5.0]",
    ],
  },
  {
    name: "an exit with another reason",
    text: `** (exit) exited in: GenServer.call(Foo, :bar, 5000)
    ** (EXIT) no process: the process is not alive
    (elixir 1.15.4) lib/gen_server.ex:1063: GenServer.call/3`,
    lines: [
      "elixir exit: exited in: GenServer.call(Foo, :bar, 5000)",
      "* GenServer | call/3 @ lib/gen_server.ex:1063 [elixir 1.15.4]",
      "0 > EXIT: no process: the process is not alive",
    ],
  },
  {
    name: "an undefined function",
    text: `** (UndefinedFunctionError) function Shop.Nope.run/1 is undefined
    (shop 0.1.0) Shop.Nope.run(:x)
    (shop 0.1.0) lib/shop/web.ex:3: ShopWeb.Cart.show/2`,
    lines: [
      "elixir UndefinedFunctionError: function Shop.Nope.run/1 is undefined",
      "  Shop.Nope | run/1 [shop 0.1.0]",
      "  ShopWeb.Cart | show/2 @ lib/shop/web.ex:3 [shop 0.1.0]",
    ],
  },
  {
    name: "only frames, as the SDK of OpenTelemetry writes them",
    platform: "elixir",
    text: `    (shop 0.1.0) lib/shop/bill.ex:12: Shop.Bill.total/2
    (shop 0.1.0) lib/shop/web.ex:3: ShopWeb.Cart.show/2
`,
    lines: [
      "elixir ?: ?",
      "  Shop.Bill | total/2 @ lib/shop/bill.ex:12 [shop 0.1.0]",
      "  ShopWeb.Cart | show/2 @ lib/shop/web.ex:3 [shop 0.1.0]",
    ],
  },
  {
    name: "Erlang's shell",
    text: `** exception error: bad key: price
     in function  shop_bill:total/2 (src/shop_bill.erl, line 12)
     in call from shop:main/0 (src/shop.erl, line 3)`,
    lines: [
      "elixir error: bad key: price",
      "  shop_bill | total/2 @ src/shop_bill.erl:12",
      "  shop | main/0 @ src/shop.erl:3",
    ],
  },
  {
    name: "an Erlang term",
    text: `Error in process <0.1.0> with exit value:
{{badkey,price},[{shop_bill,total,2,[{file,"src/shop_bill.erl"},{line,12}]},
 {'Elixir.Shop.Bill','-all/1-fun-0-',1,[{file,"lib/bill.ex"},{line,3}]},{lists,map,2,[]}]}`,
    lines: [
      "elixir ?: ?",
      "  shop_bill | total/2 @ src/shop_bill.erl:12",
      "  Shop.Bill | -all/1-fun-0-/1 @ lib/bill.ex:3",
      "* lists | map/2",
    ],
  },
];

describe("a stack of Java, Kotlin and Scala", () => {
  it.each(JAVA_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("a stack of .NET", () => {
  it.each(DOTNET_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("a stack of Elixir and Erlang", () => {
  it.each(ELIXIR_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});
