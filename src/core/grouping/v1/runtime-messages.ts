/**
 * Grouping, version 1: messages that a runtime writes, outside of JavaScript. Of these only the
 * words that name code identify the error: the attribute, the method, the parameter. Values, the
 * wording of a version and the language of the operating system do not.
 */
import type { Platform } from "../../report.ts";

/** One kind of message of a runtime. The first row whose type and pattern match applies. */
interface RuntimeMessage {
  /** Error types: with a namespace for Ruby, Go, Elixir and native code, else without. */
  readonly types: RegExp;
  /** The message; any message if absent. */
  readonly pattern?: RegExp;
  /** The text in the key. `$1` are groups of the pattern, `$&` is the match. */
  readonly text: string | ((match: RegExpExecArray) => string);
}

const row = (
  types: string,
  pattern: RegExp | undefined,
  text: RuntimeMessage["text"],
): RuntimeMessage => ({
  types: new RegExp(`^(?:${types.trim().split(/\s+/).join("|")})$`),
  pattern,
  text,
});

/**
 * The text of the message that identifies the error: empty if nothing of it does. Undefined if the
 * runtime did not write the message. `type` is as in the table of its platform.
 */
export function toRuntimeText(
  platform: Platform,
  type: string,
  message: string,
): string | undefined {
  for (const { types, pattern, text } of MESSAGES[platform] ?? []) {
    if (!types.test(type)) continue;
    const match = (pattern ?? ANYTHING).exec(message);
    if (match !== null) return toCode(typeof text === "string" ? fillIn(text, match) : text(match));
  }
  return undefined;
}

function fillIn(text: string, match: RegExpExecArray): string {
  return text.replace(/\$([&\d])/g, (_, group: string) =>
    group === "&" ? match[0] : (match[Number(group)] ?? ""),
  );
}

const ANYTHING = /^/;

/** Names without quotation marks, numbers as "*". */
function toCode(text: string): string {
  return text
    .replace(/["'`“”‘’]/g, "")
    .replace(/0x[\da-f]+|(?<![\w/#])\d+(?!\w)/gi, "*")
    .replace(/\s+/g, " ")
    .trim();
}

/** `method total of nil`. Ruby 3.4 names the class of the receiver, older versions inspect it. */
function toMissingMethod([, method = "", receiver = ""]: RegExpExecArray): string {
  return `method ${method} of ${nameReceiver(receiver.slice(0, MAX_RECEIVER_CHARS))}`;
}

const MAX_RECEIVER_CHARS = 500;

/**
 * `Order` for `#<Order id: 1>`, `an instance of Order` and `"a":Order`; `nil` for `nil:NilClass`.
 */
function nameReceiver(receiver: string): string {
  const text = receiver.trim();
  const named = /^(?:an instance of |#<)([A-Z]\w*(?:::[A-Z]\w*)*)/.exec(text)?.[1];
  if (named !== undefined) return named;
  if (/^(?:nil|true|false|main)\b/.test(text)) return text.slice(0, text.search(/\b\W|$/));
  const owner = /^(?:class |module )?([A-Z][\w:]*?)(?::(?:Class|Module))?$/.exec(text)?.[1];
  if (owner !== undefined) return `class ${owner}`;
  return /:([A-Z][\w:]*)$/.exec(text)?.[1] ?? "";
}

/**
 * A key of several words is a name in the code: `site_id`, `STRIPE_KEY`, `siteId`. A single word
 * may be a value: `EUR`.
 */
const IDENTIFIER_KEY =
  /^['"]?((?:[A-Za-z]{2,40}_)+[A-Za-z]{2,40}|[a-z]{2,40}(?:[A-Z][a-z]{1,40})+)['"]?$/;

/** Matches every type. */
const ANY = ".*";

const MESSAGES: Partial<Record<Platform, readonly RuntimeMessage[]>> = {
  python: [
    row(
      "AttributeError",
      /^'(.{1,100})' object has no attribute '(.{1,100}?)'/s,
      "attribute $2 of $1",
    ),
    row(
      "AttributeError",
      /^(module|type object) '(.{1,200})' has no attribute '(.{1,100}?)'/s,
      "attribute $3 of $1 $2",
    ),
    row("NameError", /^name '(.{1,100}?)' is not defined/s, "name $1"),
    row("UnboundLocalError NameError", /variable '(.{1,100}?)'/s, "variable $1"),
    row("ImportError ModuleNotFoundError", /^No module named '?([\w.-]{1,200})/, "module $1"),
    row("ImportError", /^cannot import name '(.{1,100}?)' from '(.{1,200}?)'/s, "name $1 of $2"),
    row("AttributeError NameError ImportError NotImplementedError", /^[^(.]*/s, "$&"),
    row("TemplateDoesNotExist TemplateNotFound", /^.*/s, "$&"),
    row("NoReverseMatch", /^Reverse for '([^'\n]{1,200})'/, "reverse $1"),
    row("KeyError", IDENTIFIER_KEY, "key $1"),
    row("TypeError", /^(?:[\w.<>]{1,100}\.)?(\w{1,100}\(\) (?:missing|takes|got) [^.]*)/s, "$1"),
    row(
      "TypeError",
      /^.*\b(?:object|argument|operand|callable|subscriptable|iterable|unpack|serializable|concatenate|instance|expected)\b.*$/s,
      "$&",
    ),
    row("ValueError", /^(not enough|too many) values to unpack/, "$1 values to unpack"),
    // The message of a parser describes the data: different texts at one place are one bug.
    row(
      "JSONDecodeError UnicodeDecodeError UnicodeEncodeError ParseError XMLSyntaxError ExpatError ScannerError ParserError",
      undefined,
      "",
    ),
    row(
      "KeyError RecursionError IndexError ZeroDivisionError StopIteration StopAsyncIteration MemoryError",
      undefined,
      "",
    ),
  ],
  ruby: [
    row(
      "NoMethodError NameError",
      /^undefined (?:local variable or )?method [`'](.{1,200}?)'(?: for (.*))?/s,
      toMissingMethod,
    ),
    row(
      "NoMethodError",
      /^(?:private|protected) method [`'](.{1,200}?)' called for (.*)/s,
      toMissingMethod,
    ),
    row("NoMethodError", /^super: no superclass method [`'](.{1,200}?)'/s, "superclass method $1"),
    row("NameError", /^uninitialized constant ([\w:]{1,200})/, "constant $1"),
    row("KeyError", /^key not found: (:\w{1,100})/, "key $1"),
    row("KeyError", /^key not found: "(?=[a-zA-Z]{2,}_[a-zA-Z]{2})([A-Za-z_]{3,80})"/, "key $1"),
    row(
      "ActionController::ParameterMissing",
      /^param is missing or the value is empty(?: or invalid)?: (\w{1,100})/,
      "param $1",
    ),
    row(
      "ActionView::MissingTemplate ActionView::MissingPartial ActionController::MissingExactTemplate",
      /^[^\n,]{1,300}/,
      "$&",
    ),
    row("LoadError", /-- ([\w/.-]{1,200})/, "file $1"),
    row("FrozenError", /^can't modify frozen ([\w:]{1,100})/, "frozen $1"),
    row(
      "TypeError ArgumentError NoMethodError NameError",
      /^(?:no implicit conversion|wrong number|missing keyword|unknown keyword|comparison of|can't convert|undefined|\w+ can't be coerced|nil can't).*/s,
      "$&",
    ),
    row(
      "JSON::ParserError Date::Error JSON::NestingError Psych::SyntaxError CSV::MalformedCSVError",
      undefined,
      "",
    ),
    row(
      "KeyError ZeroDivisionError SystemStackError NoMatchingPatternError NoMatchingPatternKeyError NoMemoryError FloatDomainError",
      undefined,
      "",
    ),
  ],
  php: [
    row(
      ANY,
      /Undefined (?:array key|index|offset):? ["']?([^"'\n]{1,200}?)["']?(?: in \S{1,300} on line \d+)?$/,
      "key $1",
    ),
    row(ANY, /Undefined variable:? \$?(\w{1,100})/, "variable $1"),
    row(ANY, /Undefined property:? ([\w\\@:$]{1,200})/, "property $1"),
    row(
      ANY,
      /Attempt to read property ["'](\w{1,100})["']|Trying to get property ["'](\w{1,100})["']/,
      "property $1$2",
    ),
    row(ANY, /foreach\(\)/, "foreach of no array"),
    row(ANY, /template ["']([\w@/.:-]{1,200})["']/i, "template $1"),
    row(ANY, /Trying to access array offset on/, "array offset of no array"),
    row(
      ANY,
      /^([\w\\:{}]{1,200})\(\): Argument #(\d{1,3})(?: \(\$\w{1,100}\))? must be .{1,200}?, (\S{1,200}) given/s,
      "argument #$2 of $1 is $3",
    ),
    row(
      ANY,
      /^Argument (\d{1,3}) passed to ([\w\\:{}]{1,200})\(\) must be .{1,200}?, (?:instance of )?(\S{1,200}) given/s,
      "argument #$1 of $2 is $3",
    ),
    row(ANY, /^Too few arguments to function ([\w\\:{}]{1,200})/, "too few arguments of $1"),
    row(
      ANY,
      /^Call to (?:a )?(?:undefined|private|protected|member) (?:function|method) [^\n]{1,300}/,
      "$&",
    ),
    row(ANY, /^Class ["'"]?([\w\\]{1,200})["'"]? (?:does )?not (?:found|exist)/, "class $1"),
    row(ANY, /^(?:Allowed memory size of|Out of memory)/, "out of memory"),
    row(ANY, /^Maximum execution time of/, "maximum execution time"),
    row("DivisionByZeroError JsonException", undefined, ""),
  ],
  java: [
    row("NullPointerException", /^(?:Cannot |Attempt to )(?:(?! because ).)*/s, "$&"),
    row(
      "ClassCastException",
      /^(?:class )?([\w.$[\];]{1,200}) cannot be cast to (?:class )?([\w.$[\];]{1,200})/,
      "$1 to $2",
    ),
    row(
      "NoSuchMethodError NoSuchFieldError NoClassDefFoundError ClassNotFoundException AbstractMethodError IncompatibleClassChangeError UnsatisfiedLinkError NoSuchMethodException",
      /^.*/s,
      "$&",
    ),
    row("MatchError", /\(of class ([\w.$]{1,200})\)$/, "of class $1"),
    row("UninitializedPropertyAccessException", /^.*/s, "$&"),
    row(
      "NumberFormatException DateTimeParseException JsonParseException JsonEOFException JsonSyntaxException MalformedJsonException SAXParseException UnrecognizedPropertyException MalformedInputException",
      undefined,
      "",
    ),
    row(
      "ArithmeticException StackOverflowError OutOfMemoryError ArrayIndexOutOfBoundsException IndexOutOfBoundsException StringIndexOutOfBoundsException NegativeArraySizeException ConcurrentModificationException",
      undefined,
      "",
    ),
  ],
  dotnet: [
    row(
      "ArgumentNullException ArgumentOutOfRangeException ArgumentException",
      /\([^()']{1,60} '(\w{1,100})'\)|[:：] ?(\w{1,100})\.?\s*$/m,
      "parameter $1$2",
    ),
    row(
      "TypeLoadException MissingMethodException MissingFieldException TypeInitializationException",
      /'(.{1,300}?)'/s,
      "$1",
    ),
    row("DllNotFoundException FileLoadException", /'([^',]{1,300})/s, "$1"),
    row(
      "DbUpdateException DbUpdateConcurrencyException NullReferenceException DivideByZeroException IndexOutOfRangeException InvalidCastException StackOverflowException OutOfMemoryException FormatException OverflowException ObjectDisposedException TimeoutException OperationCanceledException TaskCanceledException AccessViolationException NotImplementedException NotSupportedException KeyNotFoundException InsufficientExecutionStackException JsonException JsonReaderException XmlException",
      undefined,
      "",
    ),
  ],
  go: [
    row(
      "json\\.SyntaxError \\*json\\.SyntaxError \\*strconv\\.NumError \\*time\\.ParseError \\*csv\\.ParseError \\*xml\\.SyntaxError",
      undefined,
      "",
    ),
  ],
  rust: [
    row(
      "panic",
      /^called `(\w{1,40}::\w{1,40})\(\)` on an? `(\w{1,40})` value(?:: ([A-Za-z_][\w:]{0,100}))?[^\n]{0,300}?\bkind: (\w{1,60})/,
      "$1 on $2 $3 $4",
    ),
    row(
      "panic",
      /^called `(\w{1,40}::\w{1,40})\(\)` on an? `(\w{1,40})` value(?:: ([A-Za-z_][\w:]{0,100}))?/,
      "$1 on $2 $3",
    ),
    row(
      "panic",
      /^assertion (?:failed: )?`?\(?left (==|!=) right\)?`?(?: failed)?(?:: ([^\n]{1,300}))?/,
      "assertion left $1 right $2",
    ),
  ],
  elixir: [
    row(
      "MatchError CaseClauseError WithClauseError TryClauseError CondClauseError BadMapError BadArityError BadFunctionError Jason\\.DecodeError Poison\\.ParseError",
      undefined,
      "",
    ),
    row("FunctionClauseError UndefinedFunctionError", /^[^\n(]*/, "$&"),
    row("KeyError", /^key ([:"]\S{1,100}?) not found/, "key $1"),
    row(
      "Protocol\\.UndefinedError",
      /^protocol ([\w.]{1,100}) not implemented for .*?\bof type ([\w.]{1,100})/s,
      "protocol $1 for $2",
    ),
    row(
      "Protocol\\.UndefinedError",
      /^protocol ([\w.]{1,100}) not implemented for ([A-Z][\w.]{0,100})/,
      "protocol $1 for $2",
    ),
    row("Ecto\\.NoResultsError", undefined, ""),
  ],
  native: [
    row(ANY, /^\*{3} ([+-]\[[^\]\n]{1,200}\]): (?:index|range|object|key|value)/, "$1"),
    row("(?:SIG[A-Z]+|EXC_|EXCEPTION_|0x[\\da-fA-F]|Unhandled).*", undefined, ""),
  ],
};
