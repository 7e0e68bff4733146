export async function load({ request }): Promise<never> {
  console.log("The kettle is on");
  await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
  console.log("The visitor has left");
  throw request.signal.reason;
}
