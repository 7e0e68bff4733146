/**
 * Parses stacks of native code: crash reports of macOS and iOS and `callStackSymbols`, tombstones
 * of Android, and gdb. Linear in the length of the text; never throws.
 * Sources: Apple, "Examining the fields in a crash report"; Android, "Debugging native Android
 * platform code"; the manual of GDB.
 */
import type { Frame } from "../../report.ts";
import { createError, createFrame, type StackFormat, type TextError } from "./text-error.ts";

export const NATIVE_STACK: StackFormat = {
  platform: "native",
  isOwnLine: (line) => parseFrame(line) !== undefined,
  parse: parseNativeStack,
};

/** `0   libsystem_kernel.dylib   0x00007fff2041e9c2 __pthread_kill + 10 (kill.c:12)`. */
const APPLE = /^\s*\d{1,4}\s{1,8}(\S(?:[^\t]{0,200}?\S)?)\s{1,60}(0x[\da-fA-F]{6,16})\s(.*)$/s;
/** `#01 pc 000000000004a1b2  /data/app/lib/libshop.so (Shop::total(int)+12) (BuildId: ab12)`. */
const ANDROID = /^\s*#\d{1,4}\s{1,4}pc (?:0x)?([\da-f]{6,16})\s{1,4}(\S{1,1000})(?: (.*))?$/s;
const ANDROID_SYMBOL = /^(?:\(offset 0x[\da-f]{1,16}\) ?)?\((.*)\+\d{1,9}\)/s;
/** `#1  0x0000555 in Shop::total (this=0x0) at bill.cpp:12`, `#2 abort () from /lib/libc.so`. */
const GDB = /^\s*#\d{1,4}\s{1,4}(?:(0x[\da-f]{1,16}) in )?(\S.*)$/s;
const POSITION = /:(\d{1,9})$/;
const THREAD = /^Thread \d{1,4}(?: |:)/;
const CRASHED = /^Thread \d{1,4}(?: name: .{1,200})?(?: Crashed|.{0,200}\bcrashed)/i;
/** `signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0`. */
const SIGNAL =
  /\bsignal \d{1,3} \((SIG[A-Z]{2,10})\)(?:, (code .{1,100}?))?(?:, fault addr .{1,40})?$/;
/** gdb: `Program received signal SIGSEGV, Segmentation fault.` */
const GDB_SIGNAL = /^.{1,200} (?:received|terminated with) signal (SIG[A-Z]{2,10}), (.{1,100})\.$/;
const APPLE_TYPE = /^Exception Type: {1,8}(\S{1,60})(?: \((SIG[A-Z]{2,10})\))?/;
const ABORT_MESSAGE = /^Abort message: '(.*)'$/s;

function parseNativeStack(lines: readonly string[]): TextError {
  const error = createError();
  const crashed = lines.findIndex((line) => CRASHED.test(line));
  let hasEnded = false;
  for (const [at, line] of lines.entries()) {
    const frame = at < crashed || hasEnded ? undefined : parseFrame(line);
    if (frame !== undefined) error.frames.push(frame);
    // The stacks of other threads and the list of images follow.
    else if (error.frames.length > 0 && (line === "" || THREAD.test(line))) hasEnded = true;
    else readHeader(error, line);
  }
  return error;
}

function readHeader(error: TextError, line: string): void {
  const [, signal, code = ""] = SIGNAL.exec(line) ?? GDB_SIGNAL.exec(line) ?? [];
  const [, exception, exceptionSignal] = APPLE_TYPE.exec(line) ?? [];
  const type = signal ?? exceptionSignal ?? exception;
  if (type !== undefined) {
    error.type ??= type;
    error.message ??= code;
  }
  error.message = ABORT_MESSAGE.exec(line)?.[1] ?? error.message;
}

function parseFrame(line: string): Frame | undefined {
  const android = ANDROID.exec(line);
  if (android !== null) {
    const [, address, image, rest = ""] = android;
    const symbol = ANDROID_SYMBOL.exec(rest)?.[1];
    // A tombstone counts from the start of the image.
    const offset = address?.replace(/^0+(?=.)/, "");
    return createFrame("native", {
      address: `0x${address}`,
      imageOffset: `0x${offset}`,
      package: image,
      function: symbol,
    });
  }
  const apple = APPLE.exec(line);
  if (apple !== null) {
    const [, image, address, rest = ""] = apple;
    return createFrame("native", { package: image, address, ...parseAppleSymbol(rest) });
  }
  return GDB.test(line) ? parseGdbFrame(line) : undefined;
}

/** `total() + 12 (Bill.swift:5)`; without symbols, the image's address again: `0x104 + 312`. */
function parseAppleSymbol(
  text: string,
): Partial<Record<"function" | "imageOffset" | "file" | "line", string>> {
  const place = / \(([^()\s]{1,500}):(\d{1,9})\)$/.exec(text);
  const symbol = place === null ? text : text.slice(0, place.index);
  const offset = / \+ (\d{1,12})$/.exec(symbol);
  const name = offset === null ? symbol : symbol.slice(0, offset.index);
  const isNamed = !/^0x[\da-f]+$/i.test(name);
  return {
    function: isNamed ? name : undefined,
    imageOffset: isNamed || offset === null ? undefined : `0x${Number(offset[1]).toString(16)}`,
    file: place?.[1],
    line: place?.[2],
  };
}

function parseGdbFrame(line: string): Frame | undefined {
  const [, address, text = ""] = GDB.exec(line) ?? [];
  const position = POSITION.exec(text);
  const at = position === null ? -1 : text.lastIndexOf(" at ", position.index);
  const from = at === -1 ? text.lastIndexOf(" from ") : -1;
  // A frame of another format has neither an address nor a place.
  if (at === -1 && from === -1 && address === undefined) return undefined;
  const open = text.indexOf(" (");
  return createFrame("native", {
    address,
    function: open === -1 ? text : text.slice(0, open),
    file: at === -1 ? undefined : text.slice(at + " at ".length, position?.index),
    line: at === -1 ? undefined : position?.[1],
    package: from === -1 ? undefined : text.slice(from + " from ".length),
  });
}
