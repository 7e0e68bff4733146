import { describe, expect, it } from "vitest";
import { parseTextStack } from "#src/core/report/stacks/parse-text-stack.ts";
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

const GO_CASES: readonly Case[] = [
  {
    name: "a panic: only the goroutine that panicked",
    text: `panic: runtime error: invalid memory address or nil pointer dereference [recovered]
\tpanic: again
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f2a1]

goroutine 18 [running]:
panic({0x1, 0x2})
\t/usr/local/go/src/runtime/panic.go:884 +0x212
github.com/acme/shop/bill.(*Bill).Total(0xc00001, 0x2a)
\t/build/bill/bill.go:5 +0x1d
gopkg.in/yaml%2ev3.(*Decoder).Decode(...)
\t/root/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go:123
main.Map[...](0x1)
\t/build/main.go:3
main.main.func1()
\t/build/main.go:3
...additional frames elided...
created by net/http.(*Server).Serve in goroutine 1
\t/usr/local/go/src/net/http/server.go:3086 +0x5cb

goroutine 2 [select]:
main.other()
\t/build/main.go:30
exit status 2`,
    lines: [
      "go panic: runtime error: invalid memory address or nil pointer dereference",
      "* panic @ /usr/local/go/src/runtime/panic.go:884",
      "  github.com/acme/shop/bill | (*Bill).Total @ /build/bill/bill.go:5",
      "* gopkg.in/yaml.v3 | (*Decoder).Decode @ /root/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go:123",
      "  main | Map[...] @ /build/main.go:3",
      "  main | main.func1 @ /build/main.go:3",
      "* net/http | (*Server).Serve @ /usr/local/go/src/net/http/server.go:3086",
    ],
  },
  {
    name: "a recovered panic: the deferred functions above it are not the fault",
    text: `goroutine 1 [running]:
runtime/debug.Stack()
\t/usr/lib/go-1.19/src/runtime/debug/stack.go:24 +0x65
main.recoverAll.func1()
\t/srv/shop/main.go:7 +0x5a
panic({0x48bc00, 0x523020})
\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212
main.(*Bill).Total(...)
\t/srv/shop/bill.go:4
`,
    lines: [
      "go ?: ?",
      "* runtime/debug | Stack @ /usr/lib/go-1.19/src/runtime/debug/stack.go:24",
      "* main | recoverAll.func1 @ /srv/shop/main.go:7",
      "* panic @ /usr/lib/go-1.19/src/runtime/panic.go:884",
      "  main | (*Bill).Total @ /srv/shop/bill.go:4",
    ],
  },
  {
    name: "an error of pkg/errors",
    text: `no price
main.total
\t/build/bill.go:5
main.main
\t/build/main.go:10
charge failed
main.charge
\t/build/pay.go:8
checkout failed`,
    lines: [
      "go ?: checkout failed: charge failed: no price",
      "  main | total @ /build/bill.go:5",
      "  main | main @ /build/main.go:10",
    ],
  },
  {
    name: "a log of net/http",
    text: `2026/11/28 10:00:00 http: panic serving 127.0.0.1:5000: boom
goroutine 18 [running]:
main.f(...)
\t/build/main.go:30
main.g(...)
\t/build/main.go:31`,
    lines: ["go panic: boom", "  main | f @ /build/main.go:30", "  main | g @ /build/main.go:31"],
  },
];

const RUST_CASES: readonly Case[] = [
  {
    name: "a panic with a backtrace",
    text: `thread 'main' (123) panicked at src/bill.rs:3:5:
index out of bounds: the len is 3 but the index is 99
note: run with \`RUST_BACKTRACE=full\`
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/std/src/panicking.rs:665:5
   1: core::panicking::panic_fmt
             at /rustc/9fc6/library/core/src/panicking.rs:74:14
   2:     0x55d4e2 - <shop::Bill as shop::Total<T>>::total::{{closure}}::h0123456789abcdef
                               at ./src/bill.rs:3:5
   3: shop::bill::<impl shop::Bill>::new
   4: <F as core::future::future::Future>::poll
   5: alloc::vec::Vec<T>::map
   6: main
note: Some details are omitted`,
    lines: [
      "rust panic: index out of bounds: the len is 3 but the index is 99",
      "* rust_begin_unwind @ /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/std/src/panicking.rs:665:5",
      "* core::panicking | panic_fmt @ /rustc/9fc6/library/core/src/panicking.rs:74:14",
      "  <shop::Bill as shop::Total<T>> | total::{{closure}}::h0123456789abcdef @ ./src/bill.rs:3:5 0x55d4e2",
      "  shop::bill::<impl shop::Bill> | new",
      "* <F as core::future::future::Future> | poll",
      "* alloc::vec::Vec<T> | map",
      "  main",
    ],
  },
  {
    name: "a panic before Rust 1.73 without a backtrace",
    text: `thread 'main' panicked at 'boom', src/bill.rs:3:5`,
    lines: ["rust panic: boom", "  @ src/bill.rs:3:5"],
  },
  {
    name: "an error of anyhow",
    text: `charge failed

Caused by:
    0: no price
    1: connection refused

Stack backtrace:
   0: anyhow::error::<impl anyhow::Error>::msg
             at /root/.cargo/registry/src/x/anyhow-1/src/error.rs:1:2
   1: shop::main
             at ./src/main.rs:9:1`,
    lines: [
      "rust ?: charge failed",
      "* anyhow::error::<impl anyhow::Error> | msg @ /root/.cargo/registry/src/x/anyhow-1/src/error.rs:1:2",
      "  shop | main @ ./src/main.rs:9:1",
      "0 > Error: no price",
      "1 > Error: connection refused",
    ],
  },
];

const NATIVE_CASES: readonly Case[] = [
  {
    name: "a crash report of macOS: only the crashed thread",
    text: `Exception Type:  EXC_CRASH (SIGABRT)
Thread 0:
0   libsystem_kernel.dylib        \t0x00007fff2041e9c2 mach_msg + 10

Thread 1 Crashed:: Dispatch queue: com.apple.main-thread
0   libsystem_kernel.dylib        \t0x00007fff2041e9c2 __pthread_kill + 10
1   My Shop App                   \t0x0000000104a1c2d4 Bill.total() + 120 (Bill.swift:42)
2   Shop                          \t0x0000000104a1c2d4 0x104a00000 + 115412

Thread 2:
0   libsystem_kernel.dylib        \t0x00007fff2041e9c2 other + 10`,
    lines: [
      "native SIGABRT: ",
      "* __pthread_kill [libsystem_kernel.dylib] 0x00007fff2041e9c2",
      "  Bill.total() @ Bill.swift:42 [My Shop App] 0x0000000104a1c2d4",
      "  [Shop] 0x0000000104a1c2d4",
    ],
  },
  {
    name: "callStackSymbols",
    platform: "native",
    text: `0   Shop                                0x0000000104a1c2d4 $s4Shop4BillC5totalyyF + 12
1   CoreFoundation                      0x00000001a1c2d4aa __exceptionPreprocess + 216`,
    lines: [
      "native ?: ?",
      "  $s4Shop4BillC5totalyyF [Shop] 0x0000000104a1c2d4",
      "* __exceptionPreprocess [CoreFoundation] 0x00000001a1c2d4aa",
    ],
  },
  {
    name: "a tombstone of Android",
    text: `*** *** ***
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
backtrace:
      #00 pc 000000000004a1b2  /system/lib64/libc.so (abort+168) (BuildId: ab)
      #01 pc 0000000000012345  /data/app/com.acme-1/lib/arm64/libshop.so (Shop::Bill::total(int)+12)
      #02 pc 0000000000012345  /data/app/base.apk!libshop.so (offset 0x1000) (_ZN4Shop+12) (BuildId: cd)
      #03 pc 0000000000012345  /data/app/x.so`,
    lines: [
      "native SIGSEGV: code 1 (SEGV_MAPERR)",
      "* abort [/system/lib64/libc.so] 0x000000000004a1b2",
      "  Shop::Bill::total(int) [/data/app/com.acme-1/lib/arm64/libshop.so] 0x0000000000012345",
      "  _ZN4Shop [/data/app/base.apk!libshop.so] 0x0000000000012345",
      "  [/data/app/x.so] 0x0000000000012345",
    ],
  },
  {
    name: "gdb",
    text: `Program received signal SIGSEGV, Segmentation fault.
#0  0x00005555555551a9 in Shop::Bill::total (this=0x0, id=42) at src/bill.cpp:12
#1  main () at main.cpp:5
#2  0x00007ffff7a2d830 in __libc_start_main () from /lib/x86_64-linux-gnu/libc.so.6`,
    lines: [
      "native SIGSEGV: Segmentation fault",
      "  Shop::Bill::total @ src/bill.cpp:12 0x00005555555551a9",
      "  main @ main.cpp:5",
      "* __libc_start_main [/lib/x86_64-linux-gnu/libc.so.6] 0x00007ffff7a2d830",
    ],
  },
];

const DART_CASES: readonly Case[] = [
  {
    name: "an uncaught exception",
    text: `Unhandled exception:
FormatException: Unexpected character
#0      Bill.total (package:shop/bill.dart:12:5)
#1      main.<anonymous closure> (file:///srv/bin/main.dart:3:4)
<asynchronous suspension>
#2      _rootRun (dart:async/zone.dart:1399:13)`,
    lines: [
      "other FormatException: Unexpected character",
      "  Bill.total @ package:shop/bill.dart:12:5",
      "  main.<anonymous closure> @ file:///srv/bin/main.dart:3:4",
      "* _rootRun @ dart:async/zone.dart:1399:13",
    ],
  },
];

describe("a stack of Go", () => {
  it.each(GO_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("a stack of Rust", () => {
  it.each(RUST_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("a stack of native code", () => {
  it.each(NATIVE_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("a stack of Dart", () => {
  it.each(DART_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

it("a native frame has the offset in its image, where the text names it", () => {
  const list = (name: string) => {
    const { text = "", platform } = NATIVE_CASES.find((one) => one.name === name) ?? {};
    return parseTextStack(text, platform)?.frames.map(({ imageOffset }) => imageOffset);
  };
  const apple = "a crash report of macOS: only the crashed thread";
  expect(list(apple)).toEqual([undefined, undefined, "0x1c2d4"]);
  expect(list("a tombstone of Android")).toEqual(["0x4a1b2", "0x12345", "0x12345", "0x12345"]);
});
