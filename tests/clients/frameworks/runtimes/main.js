import process from "node:process";
import { nameAll } from "./name-all.js";

console.log(JSON.stringify(await nameAll(process.env.ERRATA_DSN, process.env.ERRATA_RELEASE)));
