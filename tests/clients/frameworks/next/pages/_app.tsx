import { Boundary } from "errata/next/client";
import type { AppProps } from "next/app";

// Shows and reports what fails in the browser.
export default function App({ Component, pageProps, router }: AppProps) {
  return (
    <Boundary key={router.route}>
      <Component {...pageProps} />
    </Boundary>
  );
}
