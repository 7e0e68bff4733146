import { describe, expect, it } from "vitest";
import { parseStack } from "../../../src/core/report/parse-stack.ts";

const inApp = (stack: string) =>
  parseStack(stack)
    .filter((frame) => frame.inApp)
    .map((frame) => frame.function);

describe("in a bundle React's frames are told by their names", () => {
  it("of the server's renderer", () => {
    const stack = `TypeError: no price
    at priceOf (file:///srv/worker.js:87:45898)
    at Cart (file:///srv/worker.js:87:45910)
    at renderWithHooks (file:///srv/worker.js:34:2824)
    at renderElement (file:///srv/worker.js:34:4709)
    at retryNode (file:///srv/worker.js:34:14817)
    at renderNodeDestructive (file:///srv/worker.js:34:12089)
    at performWork (file:///srv/worker.js:34:20018)`;
    expect(inApp(stack)).toEqual(["priceOf", "Cart"]);
  });

  it("of the browser's renderer", () => {
    const stack = `priceOf@https://shop.example/app.js:1:2
renderWithHooks@https://shop.example/app.js:1:20
updateFunctionComponent@https://shop.example/app.js:1:30
beginWork@https://shop.example/app.js:1:40
workLoopSync@https://shop.example/app.js:1:50
performWorkOnRootViaSchedulerTask@https://shop.example/app.js:1:60`;
    expect(inApp(stack)).toEqual(["priceOf"]);
  });

  it("and names that others use too are the application's where there is no React", () => {
    const stack = `Error: no
    at renderElement (file:///srv/worker.js:1:2)
    at performWork (file:///srv/worker.js:1:20)`;
    expect(inApp(stack)).toEqual(["renderElement", "performWork"]);
  });
});
