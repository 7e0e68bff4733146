import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodeFrame } from "#src/core/repositories/frame-path.ts";
import type { Repository } from "#src/core/repositories/repository.ts";
import { parseRepository } from "#src/core/repositories/repository-hosts.ts";
import { createCodeFinder, readCommitOfRelease } from "#src/core/repositories/source-link.ts";

const SHOP: Repository = { id: "1", kind: "github", url: "https://github.com/acme/shop" };
const SHA = "3f2a9c1b04d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9";

function findPath(frame: Partial<CodeFrame>, repository: Partial<Repository> = {}) {
  const finder = createCodeFinder({ repositories: [{ ...SHOP, ...repository }], commits: [] });
  return finder.findPath({ inApp: true, ...frame })?.segments.join("/");
}

/** The file of a frame, and its path in the repository acme/shop; undefined for none. */
const PATHS: readonly (readonly [string | Partial<CodeFrame>, string | undefined])[] = [
  // Sources that maps name.
  [{ file: "src/cart.tsx", isResolved: true }, "src/cart.tsx"],
  [{ file: "./src/cart.tsx", isResolved: true }, "src/cart.tsx"],
  [{ file: "../../src/cart.tsx", isResolved: true }, "src/cart.tsx"],
  [{ file: "src/dist/cart.js", isResolved: true }, "src/dist/cart.js"],
  ["webpack://shop/./src/cart.tsx", "src/cart.tsx"],
  ["webpack:///./src/cart.tsx?a1b2", "src/cart.tsx"],
  ["webpack:///src/pages/[id].tsx", "src/pages/[id].tsx"],
  ["webpack-internal:///(rsc)/./app/page.tsx", "app/page.tsx"],
  ["webpack-internal:///(app-pages-browser)/./app/(shop)/cart.tsx", "app/(shop)/cart.tsx"],
  ["turbopack:///[project]/app/page.tsx", "app/page.tsx"],
  ["[project]/app/page.tsx", "app/page.tsx"],
  ["rsc://React/Server/webpack-internal:///(rsc)/./app/page.tsx?0", "app/page.tsx"],
  ["app:///src/cart.js", "src/cart.js"],
  ["http://localhost:5173/src/cart.tsx?t=1732", "src/cart.tsx"],
  ["http://localhost:5173/@fs/home/ada/shop/src/cart.vue", "src/cart.vue"],
  ["file:///home/ada/shop/src/cart.ts", "src/cart.ts"],
  ["file:///C:/work/shop/src/cart.ts", "src/cart.ts"],
  ["async src/cart.ts", "src/cart.ts"],
  ["src/d%C3%A9tail.ts", "src/détail.ts"],
  // Machines that build and run.
  ["/app/server/cart.ts", "server/cart.ts"],
  ["/usr/src/app/server/cart.ts", "server/cart.ts"],
  ["/home/runner/work/shop/shop/src/cart.ts", "src/cart.ts"],
  ["/github/workspace/src/cart.ts", "src/cart.ts"],
  ["/builds/acme/web/src/cart.ts", "src/cart.ts"],
  ["/builds/acme/team/shop/src/cart.ts", "src/cart.ts"],
  ["/vercel/path0/app/page.tsx", "app/page.tsx"],
  ["/opt/build/repo/src/cart.ts", "src/cart.ts"],
  ["/opt/buildhome/repo/src/cart.ts", "src/cart.ts"],
  ["/var/task/src/cart.ts", "src/cart.ts"],
  ["/tmp/build_ab12cd34/app/models/cart.rb", "app/models/cart.rb"],
  ["D:\\a\\shop\\shop\\src\\cart.ts", "src/cart.ts"],
  ["C:\\agent\\_work\\1\\s\\Shop\\Cart.cs", "Shop/Cart.cs"],
  ["/_/src/Shop/Cart.cs", "src/Shop/Cart.cs"],
  ["C:\\Users\\ada\\shop\\src\\cart.ts", "src/cart.ts"],
  ["/home/ada/Shop/src/cart.ts", "src/cart.ts"],
  ["/opt/acme/src/cart.py", "src/cart.py"],
  // Languages.
  ["shop/bill.py", "shop/bill.py"],
  [{ file: "bill.py", absPath: "/app/shop/bill.py" }, "shop/bill.py"],
  ["/srv/shop/shop/bill.py", "shop/bill.py"],
  ["app/models/cart.rb", "app/models/cart.rb"],
  ["lib/shop/cart.ex", "lib/shop/cart.ex"],
  ["src/main.rs", "src/main.rs"],
  ["/var/www/html/src/Cart.php", "src/Cart.php"],
  [{ file: "Cart.java", module: "com.acme.Cart" }, "src/main/java/com/acme/Cart.java"],
  [{ file: "Cart.kt", module: "com.acme.Cart$Item" }, "src/main/kotlin/com/acme/Cart.kt"],
  [{ file: "cart.go", module: "github.com/acme/shop/cart" }, "cart/cart.go"],
  [{ file: "cart.go", module: "github.com/Acme/Shop" }, "cart.go"],
  ["github.com/acme/shop/cart/cart.go", "cart/cart.go"],
  ["/go/src/github.com/acme/shop/cart/cart.go", "cart/cart.go"],
  // Code of no repository.
  ["/opt/acme/cart.py", undefined],
  ["node_modules/react/index.js", undefined],
  ["/app/node_modules/react/index.js", undefined],
  ["/usr/lib/python3.12/site-packages/flask/app.py", undefined],
  ["/go/pkg/mod/github.com/gin/gin@v1.9.1/gin.go", undefined],
  ["node:internal/process/task_queues", undefined],
  ["chrome-extension://abc/content.js", undefined],
  ["data:text/javascript,alert(1)", undefined],
  ["<anonymous>", undefined],
  ["[native code]", undefined],
  ["eval at foo (src/cart.js:1:2)", undefined],
  ["main.jsbundle", undefined],
  [{ file: "src/cart.tsx", inApp: false }, undefined],
  [{}, undefined],
  // The output of builds, whose source no commit of the release names.
  ["https://shop.example/assets/index-4f2a.js", undefined],
  ["https://shop.example/cart", undefined],
  ["/app/dist/cart.js", undefined],
  ["app:///_next/static/chunks/main.js", undefined],
];

describe("the path of a frame in its repository", () => {
  it.each(PATHS)("of %j is %s", (frame, path) => {
    expect(findPath(typeof frame === "string" ? { file: frame } : frame)).toBe(path);
  });

  it("is below the folder of the repository, unless the frame has the folder already", () => {
    const repository = { folder: "apps/web" };
    expect(findPath({ file: "src/cart.tsx" }, repository)).toBe("apps/web/src/cart.tsx");
    expect(findPath({ file: "apps/web/src/cart.tsx" }, repository)).toBe("apps/web/src/cart.tsx");
    const java = { file: "Cart.java", module: "com.acme.Cart" };
    expect(findPath(java, { folder: "server/src/main/java" })).toBe(
      "server/src/main/java/com/acme/Cart.java",
    );
  });

  it("replaces the prefix of the repository by its folder, and ignores other frames", () => {
    const repository = { prefix: "/srv/www/current", folder: "site" };
    expect(findPath({ file: "/srv/www/current/cart.php" }, repository)).toBe("site/cart.php");
    const windows = { prefix: "C:\\sites\\shop\\" };
    expect(findPath({ file: "C:\\sites\\shop\\Cart.cs" }, windows)).toBe("Cart.cs");
    expect(findPath({ file: "/srv/other/src/cart.php" }, repository)).toBe(undefined);
  });

  it("is that of the file that a commit of the release changed, if the paths end alike", () => {
    const commits = [{ id: SHA, files: ["web/src/cart.tsx", "api/src/bill.py"] }];
    const { findPath: find } = createCodeFinder({ repositories: [SHOP], commits });
    const toPath = (file: string) => find({ file, inApp: true })?.segments.join("/");
    expect(toPath("/app/dist/cart.js")).toBe("web/src/cart.tsx");
    expect(toPath("webpack://shop/./src/cart.tsx")).toBe("web/src/cart.tsx");
    expect(toPath("/somewhere/else/src/bill.py")).toBe("api/src/bill.py");
  });

  it("is none for a name that no file system takes", () => {
    const { findPath: find } = createCodeFinder({ repositories: [SHOP], commits: [] });
    const toPath = (file: string) => find({ file, inApp: true })?.segments.join("/");
    expect(toPath(`src/${"a".repeat(252)}.ts`)).toBeDefined();
    expect(toPath(`src/${"a".repeat(253)}.ts`)).toBeUndefined();
  });
});

describe("several repositories", () => {
  const api: Repository = { id: "2", kind: "gitlab", url: "https://gitlab.com/acme/api" };
  const find = (repositories: readonly Repository[], file: string) =>
    createCodeFinder({
      repositories,
      commits: [{ id: SHA, repository: "acme/api", files: ["api/bill.py"] }],
    }).findLink({ file, line: 3, inApp: true })?.url;

  it("are tried by the longest prefix, by the changed files, and in their order", () => {
    const web = { ...SHOP, prefix: "/srv/web" };
    expect(find([api, web], "/srv/web/cart.ts")).toContain("github.com/acme/shop/blob/HEAD/cart");
    const deep = { ...api, prefix: "/srv/web/api" };
    expect(find([web, deep], "/srv/web/api/bill.py")).toContain(`/-/blob/${SHA}/bill.py#L3`);
    expect(find([SHOP, api], "/x/api/bill.py")).toContain(`acme/api/-/blob/${SHA}/api/bill.py`);
    expect(find([SHOP, api], "src/cart.ts")).toContain("github.com/acme/shop/blob/HEAD/src");
  });
});

describe("the revision of a link", () => {
  const link = (release: string | undefined, commits: readonly object[] = []) =>
    createCodeFinder({
      repositories: [{ ...SHOP, branch: "trunk" }],
      release,
      commits: commits as never,
    }).findLink({ file: "src/cart.ts", line: 12, inApp: true });

  it("is the newest commit of the release in this repository", () => {
    const commits = [
      { id: "aaaaaaa1", atMs: 1 },
      { id: "bbbbbbb2", atMs: 3, repository: "acme/shop" },
      { id: "ccccccc3", atMs: 2 },
      { id: "ddddddd4", atMs: 9, repository: "acme/other" },
      { id: "eeeeeee5", atMs: 9, url: "https://github.com/acme/other/commit/eeeeeee5" },
    ];
    const { url, revision } = link("1.4.2", commits.slice(0, 4)) ?? {};
    expect(url).toBe("https://github.com/acme/shop/blob/bbbbbbb2/src/cart.ts#L12");
    expect(revision).toEqual({ commit: "bbbbbbb2" });
  });

  it("is the commit that the release is named by, otherwise the branch", () => {
    expect(link(SHA)?.url).toBe(`https://github.com/acme/shop/blob/${SHA}/src/cart.ts#L12`);
    expect(link(`shop@${SHA.slice(0, 10)}`)?.revision).toEqual({ commit: SHA.slice(0, 10) });
    expect(link("1.4.2")?.url).toBe("https://github.com/acme/shop/blob/trunk/src/cart.ts#L12");
    expect(link(undefined)?.revision).toEqual({ branch: "trunk" });
  });

  it("takes no date and no word for a commit", () => {
    expect(readCommitOfRelease("20261121")).toBe(undefined);
    expect(readCommitOfRelease("deadbeef")).toBe(undefined);
    expect(readCommitOfRelease("shop@1.4.2")).toBe(undefined);
    expect(readCommitOfRelease("3f2a9c1")).toBe("3f2a9c1");
  });
});

describe("a project without repositories", () => {
  const find = (urls: readonly string[]) =>
    createCodeFinder({
      repositories: [],
      release: "1.4.2",
      commits: urls.map((url, n) => ({ id: `abcdef${n}`, url })),
    }).findLink({ file: "src/cart.ts", line: 12, inApp: true })?.url;

  it("has the one that all commits of the release name, if its service is certain", () => {
    expect(find([`https://github.com/acme/shop/commit/${SHA}`])).toBe(
      "https://github.com/acme/shop/blob/abcdef0/src/cart.ts#L12",
    );
    expect(find([`https://git.example.org/a/b/shop/-/commit/${SHA}`])).toBe(
      "https://git.example.org/a/b/shop/-/blob/abcdef0/src/cart.ts#L12",
    );
    expect(find([`https://bitbucket.org/acme/shop/commits/${SHA}`])).toBe(
      "https://bitbucket.org/acme/shop/src/abcdef0/src/cart.ts#lines-12",
    );
  });

  it("has none if commits disagree, or the address is not certain", () => {
    const [a, b] = ["shop", "api"].map((name) => `https://github.com/acme/${name}/commit/${SHA}`);
    expect(find([a ?? "", b ?? ""])).toBe(undefined);
    expect(find([`https://git.example.org/acme/shop/commit/${SHA}`])).toBe(undefined);
    expect(find([`http://github.com/acme/shop/commit/${SHA}`])).toBe(undefined);
    expect(find(["javascript:alert(1)"])).toBe(undefined);
    expect(find([])).toBe(undefined);
  });
});

const REPOSITORIES: readonly Repository[] = [
  SHOP,
  { ...SHOP, folder: "apps/web", prefix: "/srv" },
  { id: "2", kind: "gitlab", url: "http://git.local/acme/shop" },
  { id: "3", kind: "bitbucket", url: "https://bitbucket.org/acme/shop" },
  { id: "4", kind: "gitea", url: "https://codeberg.org/acme/shop" },
  { id: "5", kind: "azure", url: "https://dev.azure.com/acme/web/_git/shop" },
  {
    id: "6",
    kind: "template",
    url: "https://cgit.example/shop",
    template: "https://cgit.example/shop/tree/{path}?id={ref}#n{line}",
  },
];

const HOSTILE = [
  "//evil.example/src/x.ts",
  "/app/..%2f..%2f..%2fevil/x.ts",
  "src/..\\..\\..\\x.ts",
  "src/%2e%2e/%2e%2e/x.ts",
  "src/%252e%252e/x.ts",
  "javascript:alert(1)",
  "https://github.com@evil.example/src/x.ts",
  "src/x.ts?next=https://evil.example",
  "src/\u202egnp.ts",
  'src/a b"><script>.ts',
  "webpack://evil/../../../../../settings/x.ts",
  "src/$&{path}$1.ts",
  "src/x.ts)](https://evil.example",
];

/** Everything that a link may not do, whatever the frame. */
function checkLink(repository: Repository, file: string) {
  const { findLink } = createCodeFinder({ repositories: [repository], commits: [], release: file });
  const frames = [
    { file, line: 3, inApp: true },
    { file: "x.go", module: file, line: -1, inApp: true },
    { file: "Cart.java", module: file, line: 0.5, inApp: true },
    { file: `/srv/${file}`, absPath: file, line: Number.NaN, inApp: true, isResolved: true },
  ];
  for (const frame of frames) {
    const found = findLink(frame);
    if (found === undefined) continue;
    const url = new URL(found.url);
    const base = new URL(repository.url);
    expect(url.origin).toBe(base.origin);
    expect(url.href).toBe(found.url);
    expect(`${url.pathname}/`.startsWith(`${base.pathname}/`)).toBe(true);
    expect(url.pathname.includes("/../")).toBe(false);
    expect(/[\s<>"'()\\\p{Cf}\p{Cc}]/u.test(found.url)).toBe(false);
    expect(url.searchParams.getAll("path").length).toBeLessThan(2);
  }
}

describe("a link of a hostile frame", () => {
  it.each(HOSTILE)("%j stays in the repository", (file) => {
    for (const repository of REPOSITORIES) checkLink(repository, file);
  });

  const part = fc.oneof(
    fc.constantFrom("..", ".", "%2e%2e", "%2f", "\\", "//", "src", "?", "#", "@", ":", "{path}"),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  it("of any parts stays in the repository", () => {
    const parts = fc.array(part, { maxLength: 8 });
    const separators = fc.constantFrom("/", "", "\\", "%2f");
    fc.assert(
      fc.property(parts, separators, (some, separator) => {
        for (const repository of REPOSITORIES) checkLink(repository, some.join(separator));
      }),
    );
  });
});

describe("an entered repository", () => {
  it.each([
    ["https://github.com/acme/shop", "github", "https://github.com/acme/shop"],
    ["https://github.com/acme/shop.git/", "github", "https://github.com/acme/shop"],
    ["git@github.com:acme/shop.git", "github", "https://github.com/acme/shop"],
    ["gitlab.com/acme/web/shop", "gitlab", "https://gitlab.com/acme/web/shop"],
    ["http://gitlab.acme.local:8080/shop", "gitlab", "http://gitlab.acme.local:8080/shop"],
    ["https://github.acme.com/web/shop", "github", "https://github.acme.com/web/shop"],
    ["https://codeberg.org/acme/shop", "gitea", "https://codeberg.org/acme/shop"],
    ["https://dev.azure.com/a/b/_git/c", "azure", "https://dev.azure.com/a/b/_git/c"],
  ])("%s is of %s", (url, kind, stored) => {
    expect(parseRepository({ url })).toMatchObject({ ok: true, value: { kind, url: stored } });
  });

  it.each([
    [{ url: "javascript:alert(1)" }, "url"],
    [{ url: "http://github.com/acme/shop" }, "url"],
    [{ url: "https://token@github.com/acme/shop" }, "url"],
    [{ url: "https://github.com" }, "url"],
    [{ url: "https://github.com/acme/shop?x=1" }, "url"],
    [{ url: "https://github.com/acme%2fshop" }, "url"],
    [{ url: `https://github.com/${"a".repeat(500)}` }, "url"],
    [{ url: "https://git.example/acme/shop" }, "kind"],
    [{ url: "https://github.com/acme/shop", branch: "a..b" }, "branch"],
    [{ url: "https://github.com/acme/shop", branch: "-x" }, "branch"],
    [{ url: "https://github.com/acme/shop", folder: "../x" }, "folder"],
    [{ url: "https://github.com/acme/shop", prefix: "a\nb" }, "prefix"],
    [{ url: "https://git.example/shop", kind: "template" }, "template"],
    [
      {
        url: "https://git.example/shop",
        kind: "template",
        template: "https://evil.example/{path}",
      },
      "template",
    ],
    [
      { url: "https://git.example/shop", kind: "template", template: "https://git.example{path}" },
      "template",
    ],
    [
      {
        url: "https://git.example/shop",
        kind: "template",
        template: "https://git.example/{path}/{user}",
      },
      "template",
    ],
  ] as const)("%j is refused for its %s", (entered, member) => {
    expect(parseRepository(entered)).toMatchObject({ ok: false, member });
  });
});
