import process from "node:process";
import { watchProcess } from "errata/node";

watchProcess();

const onError = (event, listener) => process.on(event, (error) => listener(error.message ?? error));

/** Ways in which a process ends, or does not. */
const WAYS = {
  "nothing handles an error": () => setImmediate(fail),
  "nothing handles a rejection": () => void Promise.reject(new Error("no tea")),
  "nothing handles a rejected text": () => void Promise.reject("no tea"),
  "the app logs errors and lives": () => {
    onError("uncaughtException", console.log);
    setImmediate(fail);
  },
  "the app logs rejections and lives": () => {
    onError("unhandledRejection", console.log);
    void Promise.reject(new Error("no tea"));
  },
  "the app logs an error and ends": () => {
    onError("uncaughtException", () => process.exit(3));
    setImmediate(fail);
  },
  "the app no longer listens to rejections": () => {
    const listener = () => undefined;
    process.on("unhandledRejection", listener);
    setImmediate(() => process.off("unhandledRejection", listener));
    setTimeout(() => void Promise.reject(new Error("no tea")), 20);
  },
};

function fail() {
  throw new Error("no tea");
}

WAYS[process.argv[2]]();
