import { describe, expect, it } from "vitest";
import { isApplicationCode } from "#src/core/report/library-code.ts";
import type { Frame, Platform } from "#src/core/report.ts";

type Code = Pick<Frame, "module" | "file" | "absPath" | "package">;

const APPLICATION: readonly [Platform, Code][] = [
  ["python", { module: "shop.bill", file: "shop/bill.py", absPath: "/srv/app/shop/bill.py" }],
  ["ruby", { file: "app/models/bill.rb" }],
  ["php", { file: "/var/www/html/src/Bill.php" }],
  ["java", { module: "com.acme.billing.Bill", file: "Bill.java" }],
  ["dotnet", { module: "Shop.Billing.Bill" }],
  ["go", { module: "github.com/acme/shop/bill", absPath: "/src/shop/bill.go" }],
  ["rust", { module: "shop::bill", file: "src/bill.rs" }],
  ["elixir", { module: "Shop.Bill", file: "lib/shop/bill.ex" }],
  ["elixir", { module: "Elixir.ShopWeb.BillController" }],
  ["native", { package: "/private/var/containers/Bundle/Application/1A/Shop.app/Shop" }],
  ["native", { package: "C:\\Program Files\\Shop\\shop.exe" }],
  ["other", { file: "lib/bill.dart" }],
];

const LIBRARY: readonly [Platform, Code][] = [
  ["python", { file: "django/core/handlers/base.py", module: "django.core.handlers.base" }],
  ["python", { absPath: "/usr/local/lib/python3.12/asyncio/runners.py", file: "runners.py" }],
  ["python", { absPath: "/app/.venv/lib/python3.12/site-packages/x.py", file: "x.py" }],
  ["ruby", { file: "/usr/local/bundle/gems/rack-3.0.8/lib/rack/etag.rb" }],
  ["php", { file: "/var/www/vendor/laravel/framework/src/Pipeline.php" }],
  ["java", { module: "java.util.ArrayList" }],
  ["java", { module: "org.springframework.web.servlet.DispatcherServlet" }],
  ["java", { module: "jdk.proxy2.$Proxy128" }],
  ["dotnet", { module: "System.Linq.Enumerable" }],
  ["dotnet", { module: "Microsoft.AspNetCore.Routing.EndpointMiddleware" }],
  ["go", { module: "net/http", absPath: "/usr/local/go/src/net/http/server.go" }],
  ["go", { module: "github.com/go-chi/chi/v5", absPath: "/go/pkg/mod/github.com/go-chi/x.go" }],
  ["rust", { module: "core::result", file: "/rustc/9fc6b431/library/core/src/result.rs" }],
  ["elixir", { module: "Elixir.Enum", file: "lib/enum.ex" }],
  ["elixir", { module: ":gen_server" }],
  ["elixir", { file: "deps/ecto/lib/ecto/repo.ex" }],
  ["native", { package: "/usr/lib/system/libsystem_kernel.dylib" }],
  ["native", { package: "C:\\Windows\\System32\\ntdll.dll" }],
];

describe("code of a stack", () => {
  it.each(APPLICATION)("%s %o belongs to the application", (platform, code) => {
    expect(isApplicationCode(code, platform)).toBe(true);
  });

  it.each(LIBRARY)("%s %o belongs to a library", (platform, code) => {
    expect(isApplicationCode(code, platform)).toBe(false);
  });
});
