import { describe, expect, it, test } from "vitest";
import {
  EDITORS,
  type EditorName,
  parseEditorName,
  parseRoot,
  toEditorUrl,
} from "#src/core/repositories/editor-link.ts";
import { safeEditorHref } from "#src/ui/parts/safe-href.ts";

const root = "/home/ada/shop";

test.each<[EditorName, string]>([
  ["vscode", "vscode://file/home/ada/shop/src/cart.ts:7:3"],
  ["cursor", "cursor://file/home/ada/shop/src/cart.ts:7:3"],
  ["zed", "zed://file/home/ada/shop/src/cart.ts:7:3"],
  ["webstorm", "webstorm://open?file=/home/ada/shop/src/cart.ts&line=7&column=3"],
])("a line opens in %s", (editor, url) => {
  expect(toEditorUrl({ editor, root }, { path: "src/cart.ts", line: 7, column: 3 })).toBe(url);
});

describe("a link of an editor", () => {
  const open = (folder: string, path: string, repository?: string) =>
    toEditorUrl({ editor: "vscode", root: folder }, { path, repository });

  test.each<[string, string, string, string | undefined, string | undefined]>([
    [
      "a folder of Windows",
      "C:\\src\\shop",
      "a.ts",
      undefined,
      "vscode://file/C:/src/shop/a.ts:1:1",
    ],
    ["the root of a disk", "/", "a.ts", undefined, "vscode://file/a.ts:1:1"],
    [
      "names that a URL reserves",
      root,
      "a b/[id]&x=#1?.ts",
      undefined,
      `vscode://file${root}/a%20b/%5Bid%5D%26x%3D%231%3F.ts:1:1`,
    ],
    [
      "a colon, which would begin a line",
      root,
      "a:9.ts",
      undefined,
      `vscode://file${root}/a%3A9.ts:1:1`,
    ],
    ["the repository", "/src/{repository}", "a.ts", "acme/shop", "vscode://file/src/shop/a.ts:1:1"],
    ["no repository where one is needed", "/src/{repository}", "a.ts", undefined, undefined],
    ["a path above the folder", root, "../../etc/passwd", undefined, undefined],
    ["a repository above the folder", "/src/{repository}", "a.ts", "acme/..", undefined],
  ])("has %s", (_, folder, path, repository, url) => {
    expect(open(folder, path, repository)).toBe(url);
  });

  it("is shown for every editor of the list, and for no other scheme", () => {
    for (const editor of Object.keys(EDITORS) as EditorName[]) {
      const url = toEditorUrl({ editor, root }, { path: "a.ts" });
      expect(safeEditorHref(url)).toBe(url);
    }
    for (const url of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "https://a.example",
      "vscode:x",
      " vscode://file/a",
      undefined,
    ])
      expect(safeEditorHref(url)).toBeUndefined();
  });
});

test.each([
  ["/home/ada/shop", "/home/ada/shop"],
  [" /home/ada/shop/ ", "/home/ada/shop"],
  ["C:\\src\\shop\\", "C:\\src\\shop"],
  ["/", "/"],
  ["/src/{repository}", "/src/{repository}"],
  ["shop", undefined],
  ["~/shop", undefined],
  ["https://a.example/", undefined],
  ["/a/../b", undefined],
  ["/a\nb", undefined],
  ["/a\u202eb", undefined],
  [`/${"a".repeat(300)}`, undefined],
  ["", undefined],
])("the folder %j is read as %j", (text, expected) => {
  expect(parseRoot(text)).toBe(expected);
});

test.each([
  ["vscode", "vscode"],
  ["toString", undefined],
  ["__proto__", undefined],
  ["", undefined],
])("the editor %j is read as %j", (text, expected) => {
  expect(parseEditorName(text)).toBe(expected);
});
