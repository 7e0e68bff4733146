import { describe, expect, it } from "vitest";
import { parseFrames } from "#src/core/report/stacks/javascript-stack.ts";

const inApp = (stack: string) =>
  parseFrames(stack)
    .filter((frame) => frame.inApp)
    .map((frame) => frame.function);

describe("React's frames in a bundle", () => {
  it("frames of the server renderer are not in-app", () => {
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

  it("frames of the browser renderer are not in-app", () => {
    const stack = `priceOf@https://shop.example/app.js:1:2
renderWithHooks@https://shop.example/app.js:1:20
updateFunctionComponent@https://shop.example/app.js:1:30
beginWork@https://shop.example/app.js:1:40
workLoopSync@https://shop.example/app.js:1:50
performWorkOnRootViaSchedulerTask@https://shop.example/app.js:1:60`;
    expect(inApp(stack)).toEqual(["priceOf"]);
  });

  it("functions with shared names stay in-app if the stack contains no React", () => {
    const stack = `Error: no
    at renderElement (file:///srv/worker.js:1:2)
    at performWork (file:///srv/worker.js:1:20)`;
    expect(inApp(stack)).toEqual(["renderElement", "performWork"]);
  });
});
