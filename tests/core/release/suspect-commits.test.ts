import { describe, expect, it } from "vitest";
import { findSuspectCommits, type SuspectFrame } from "#src/core/release/suspect-commits.ts";

const commit = (id: string, files: readonly string[], atMs?: number) => ({ id, files, atMs });
const own = (file: string, module?: string): SuspectFrame => ({ file, module, inApp: true });
const ids = (frames: readonly SuspectFrame[], commits: readonly ReturnType<typeof commit>[]) =>
  findSuspectCommits(frames, commits).map(({ commit: { id } }) => id);

describe("a commit is a suspect if it changed the file of a frame", () => {
  it.each([
    ["src/cart.tsx", "src/cart.tsx"],
    ["webpack://shop/./src/cart.tsx", "src/cart.tsx"],
    ["webpack://_N_E/./src/app/cart/page.tsx?1a2b", "src/app/cart/page.tsx"],
    ["webpack-internal:///./src/cart.tsx", "web/src/cart.tsx"],
    ["[project]/src/app/cart/page.tsx", "apps/shop/src/app/cart/page.tsx"],
    ["../../src/cart.ts", "packages/cart/src/cart.ts"],
    ["/app/dist/cart/total.js", "src/cart/total.ts"],
    ["/app/dist/total.js", "src/total.ts"],
    ["https://shop.example/assets/src/cart.vue", "src/cart.vue"],
    ["app:///src/cart.ts", "src/cart.ts"],
    ["C:\\build\\shop\\Cart\\Total.cs", "Cart/Total.cs"],
    ["/usr/src/app/shop/views.py", "shop/views.py"],
    ["shop/cart.py", "backend/shop/cart.py"],
    ["/var/www/html/app/Http/Cart.php", "app/Http/Cart.php"],
    ["/go/src/github.com/acme/shop/cart/cart.go", "cart/cart.go"],
    ["cart.tsx", "web/cart.tsx"],
    ["/srv/server.js", "server.js"],
    ["/srv/shop/src/%5Bslug%5D/page.tsx", "src/[slug]/page.tsx"],
    ["/home/grüße/laden/korb.rb", "laden/korb.rb"],
  ])("%s is %s", (file, changed) => {
    const [suspect] = findSuspectCommits([own(file)], [commit("a", ["README.md", changed])]);
    expect(suspect).toMatchObject({ commit: { id: "a" }, file: changed, frame: 0 });
  });

  it("with the packages of the module, where the file has no folder", () => {
    const commits = [
      commit("a", ["api/src/main/java/com/acme/shop/Cart.java"]),
      commit("b", ["api/src/main/java/com/acme/admin/Cart.java"]),
    ];
    expect(ids([own("Cart.java", "com.acme.shop.Cart")], commits)).toEqual(["a"]);
  });

  it.each([
    ["src/cart.tsx", "src/cart.test.tsx"],
    ["/app/routes/index.js", "admin/index.js"],
    ["src/app/cart/page.tsx", "src/app/about/page.tsx"],
    ["shop/models/__init__.py", "shop/views/__init__.py"],
    ["src/cart.py", "src/cart.ts"],
    ["https://shop.example/assets/index-1a2b.js", "index.html"],
    ["<anonymous>", "src/cart.tsx"],
    ["", "src/cart.tsx"],
  ])("%s is not %s", (file, changed) => {
    expect(ids([own(file)], [commit("a", [changed])])).toEqual([]);
  });
});

it("two files that are as near are no suspects, and the nearer one is", () => {
  const both = [commit("a", ["web/cart.tsx"]), commit("b", ["admin/cart.tsx"])];
  expect(ids([own("cart.tsx")], both)).toEqual([]);
  expect(ids([own("/build/admin/cart.tsx")], both)).toEqual(["b"]);
});

it("the frame nearest to the error is first, then the newest commit, and three are named", () => {
  const commits = [
    commit("old", ["src/a.ts"], 1),
    commit("new", ["src/a.ts"], 3),
    commit("other", ["src/b.ts"], 9),
    commit("undated", ["src/b.ts"]),
  ];
  expect(ids([own("src/a.ts"), own("src/b.ts")], commits)).toEqual(["new", "old", "other"]);
});

it("frames of packages count only in a stack without frames of the application", () => {
  const commits = [commit("a", ["vendor/pay/client.js"])];
  const foreign = { file: "/srv/vendor/pay/client.js", inApp: false };
  expect(ids([foreign, own("src/a.ts")], commits)).toEqual([]);
  expect(ids([foreign], commits)).toEqual(["a"]);
});

it("commits without files are no suspects", () => {
  expect(findSuspectCommits([own("src/a.ts")], [{ id: "a" }])).toEqual([]);
});
