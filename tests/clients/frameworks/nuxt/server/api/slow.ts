import { once } from "node:events";

export default defineEventHandler(async (event) => {
  console.log("The kettle is on");
  await once(event.node.res, "close");
  console.log("The visitor has left");
  throw new Error("nobody drinks this tea");
});
