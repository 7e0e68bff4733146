/**
 * Tells code of the application from code of libraries, for stacks whose sender does not say it.
 * Each runtime shows a library in its own way: by folder, by package or by image. Grouping uses the
 * newest frame of the application, so a change of these tables needs a new version of the grouping.
 * Pure.
 */
import { type Frame, isJavaScript, type Platform } from "../report.ts";
import { isInApp } from "./in-app.ts";

/** The members of a frame that name its code. */
type CodeLocation = Pick<Frame, "function" | "module" | "file" | "absPath" | "package">;

/** Patterns of library code. A frame is a library's if one of them matches. */
interface LibraryPatterns {
  /** Tested on `file`, and on `absPath` or, without it, `package`. */
  readonly paths?: RegExp;
  /** Tested on `module`. */
  readonly modules?: RegExp;
  /** Tested on `function`, where it contains the class. */
  readonly functions?: RegExp;
  /** Tested on the file name of `package`, in lower case. */
  readonly images?: RegExp;
}

/** True if a frame of `platform` is code of the application. */
export function isApplicationCode(code: CodeLocation, platform: Platform): boolean {
  if (isJavaScript(platform)) return isInApp(code.file);
  const { paths, modules, functions, images } = LIBRARIES[platform];
  if (paths?.test(code.file ?? "") || paths?.test(code.absPath ?? code.package ?? "")) return false;
  if (modules?.test(code.module ?? "") || functions?.test(code.function ?? "")) return false;
  return images?.test(getImageName(code.package)) !== true;
}

/** `libc.so.6` for `/usr/lib/libc.so.6`, in lower case. */
function getImageName(path: string | undefined): string {
  return path === undefined ? "" : path.slice(path.search(/[^\\/]*$/)).toLowerCase();
}

/** Classes of PHP by namespace, alone or before a method. */
const PHP_LIBRARY =
  /^\\?(?:Doctrine|Symfony|Illuminate|Laravel|GuzzleHttp|Monolog|Psr|Twig|League|Composer|Sentry|OpenTelemetry|Nette|PHPUnit|Carbon|Ramsey|Predis|Amp|React|Slim|Cake|Yii|Zend|Laminas|Mezzio|Livewire|Spatie|Aws|Google|Stripe|Twilio|PhpAmqpLib|Enqueue|PDO|mysqli|Redis|SoapClient|wpdb|WP_\w+)(?:\\|::|->|$)/;

const LIBRARIES: Readonly<
  Record<Exclude<Platform, "javascript" | "react-native">, LibraryPatterns>
> = {
  python: {
    paths: /[\\/](?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/]python\d|^<frozen |^<string>$/,
    modules:
      /^(?:_?asyncio|concurrent|threading|multiprocessing|importlib|runpy|contextlib|socketserver|http\.(?:client|server)|urllib|json|socket|ssl|subprocess|django|flask|werkzeug|jinja2|celery|kombu|billiard|starlette|fastapi|uvicorn|gunicorn|anyio|requests|urllib3|httpx|httpcore|aiohttp|sqlalchemy|psycopg2?|asyncpg|pymysql|redis|botocore|boto3|pydantic|rest_framework|graphql|grpc|tenacity|sentry_sdk)(?:\.|$)/,
  },
  ruby: {
    paths: /[\\/]gems[\\/]|[\\/]lib[\\/]ruby[\\/]|^<internal:|[\\/]vendor[\\/]bundle[\\/]/,
  },
  php: {
    paths: /[\\/]vendor[\\/]|^\[internal|[\\/]wp-(?:includes|admin)[\\/]/,
    modules: PHP_LIBRARY,
    functions: PHP_LIBRARY,
  },
  java: {
    modules:
      /^(?:javax?|jakarta|jdk|_COROUTINE|sun|com\.sun|kotlinx?|scala|groovy|clojure|androidx?|dalvik|com\.(?:android|google|fasterxml|zaxxer|mysql|mongodb|microsoft|amazonaws|netflix|github)|org\.(?:springframework|apache|hibernate|eclipse|jboss|junit|postgresql|mariadb|h2|jooq|slf4j|redisson|aspectj|jetbrains|codehaus|glassfish|thymeleaf|flywaydb|quartz|mockito|gradle|xerial|json|yaml)|io\.(?:netty|grpc|micrometer|undertow|reactivex|vertx|quarkus|ktor|micronaut|projectreactor|lettuce|sentry|opentelemetry|github)|net\.(?:bytebuddy|sf|logstash)|reactor|okhttp3?|okio|retrofit2|rx|akka|play|feign|redis|cats|zio|oracle|freemarker|ch\.qos|lombok|zipkin2)\.|\$Proxy\d|(?:^|\.)Generated\w*Accessor/,
  },
  dotnet: {
    modules:
      /^(?:System|Microsoft|Mono|UnityEngine|UnityEditor|Npgsql|Newtonsoft|MySql|MySqlConnector|StackExchange|Polly|MediatR|Serilog|NLog|Dapper|AutoMapper|FluentValidation|Grpc|MassTransit|Hangfire|Quartz|RabbitMQ|Azure|Amazon|Google|Castle|Autofac|Refit|RestSharp|Sentry|OpenTelemetry|Xamarin|Android|Java|Foundation|UIKit)(?:\.|$)|^\(unknown\)/,
  },
  go: {
    paths:
      /[\\/]pkg[\\/]mod[\\/]|[\\/]vendor[\\/]|[\\/]go(?:-?[\d.]+)?[\\/]src[\\/]|[\\/]libexec[\\/]src[\\/]/,
    modules:
      /^(?:runtime|net|reflect|sync|testing|encoding|io|os|database|context|bufio|bytes|strings|strconv|time|errors|fmt|log|math|sort|slices|maps|syscall|internal|crypto|compress|html|text|path|regexp|archive|hash|mime|unicode|golang\.org|google\.golang\.org|go\.opentelemetry\.io)(?:[/.]|$)/,
  },
  rust: {
    paths: /^\/?rustc\/|[\\/]\.?cargo[\\/](?:registry|git)[\\/]|[\\/]rustlib[\\/]/,
    modules:
      /^<?(?:std|core|alloc|tokio|futures\w*|rayon\w*|hyper\w*|tower\w*|axum|actix\w*|serde\w*|reqwest|sqlx\w*|diesel|anyhow|eyre|color_eyre|backtrace|sentry\w*|tracing\w*|rust_begin_unwind|rust_panic|__rust\w*|mio|h2|tonic)(?:::|$)|^<&?(?:mut )?[A-Z]\w* as (?:core|std|alloc)::/,
  },
  elixir: {
    paths:
      /(?:^|[\\/])deps[\\/]|^\(?(?:stdlib|kernel|elixir|ecto\w*|db_connection|phoenix\w*|plug\w*)\b/,
    modules:
      /^(?:Elixir\.)?(?::|(?:lists|maps|sets|dict|array|string|binary|erlang|ets|dets|mnesia|timer|rpc|erpc|sys|file|code|init|logger\w*|io\w*|re|calendar|crypto|public_key|ssl\w*|tls_\w+|gen\w*|inet\w*|httpc\w*|proc_lib|supervisor|application\w*|global|queue|rand|erl_\w+|cow_\w+|cowboy\w*|ranch\w*|hackney\w*|telemetry\w*|poolboy)$|(?:Enum|Stream|Kernel|Task|GenServer|Process|Agent|Registry|Supervisor|DynamicSupervisor|Access|Map|Keyword|String|Integer|List|File|IO|Code|Regex|Date|DateTime|Range|Module|Phoenix|Plug|Ecto|DBConnection|Postgrex|MyXQL|Oban|Broadway|Absinthe|Bandit|ThousandIsland|ExUnit|Logger|Jason|Poison|Finch|Mint|Tesla|Req|HTTPoison|Swoosh|Sentry|Telemetry|LiveView)(?:\.|$))/,
  },
  native: {
    paths:
      /^\/(?:system|apex|vendor|usr\/lib|lib|lib64|System\/Library)\/|[\\/](?:iphoneos|RuntimeRoot)[\\/]|^[A-Za-z]:\\Windows\\/i,
    images:
      /^(?:libc|libm|libc\+\+\w*|libstdc\+\+|libgcc_s|libsystem_\w+|libdispatch|libobjc|libart(?:-compiler)?|libutils|libbinder|libandroid_runtime|libhwui|libgui|libpthread|ld-linux[\w-]*|ld|libdyld|dyld\w*|corefoundation|foundation|uikit\w*|appkit|quartzcore|coregraphics|coreui|coretext|coredata|coreml|corelocation|corevideo|coremedia|coremotion|corebluetooth|coreautolayout|av\w+|audiotoolbox\w*|mediatoolbox|cfnetwork|security|webkit\w*|webcore|javascriptcore|metal\w*|openg\w+|agx\w*|libgpu\w*|graphicsservices|frontboard\w*|baseboard|backboard\w*|runningboard\w*|attributegraph|swiftui\w*|combine|libswift\w*|hitoolbox|imageio|photos\w*|mapkit|storekit|ntdll|kernel32|kernelbase|user32|gdi32|ole32|ucrtbase\w*|msvc\w+|vcruntime\w*|win32u|combase|ws2_32|d3d\d+\w*|dxgi|nvwgf2\w*|atio\w*|ig\d*umd\w*)(?:[.-]|$)/,
  },
  other: {
    paths:
      /[\\/](?:node_modules|site-packages|vendor|third_party)[\\/]|^dart:|^package:(?:flutter\w*|async|http\w*|dio|bloc|flutter_bloc|provider|riverpod\w*|sentry\w*|stack_trace|test\w*)\//,
  },
};
