/** Waits for the visitor, who leaves. */
export async function loader({ request }: { request: Request }) {
  console.log("waits");
  await new Promise((_, reject) => {
    request.signal.addEventListener("abort", () => {
      console.log("left");
      reject(request.signal.reason);
    });
  });
}

export default function Slow() {
  return null;
}
