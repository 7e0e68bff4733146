/** The times that workerd and KV compare with the machine's clock, while `Date` has another. */
import { toMachineMs } from "#support/clock/fixed-clock.ts";

let isConverting = false;

/** Converts the alarms of all objects in this isolate, and the expirations of `kv`'s class. */
export function convertTimes(storage: DurableObjectStorage, kv: KVNamespace): void {
  if (isConverting) return;
  isConverting = true;
  convertAlarms(Object.getPrototypeOf(storage));
  convertExpirations(Object.getPrototypeOf(kv));
}

function convertAlarms(storage: DurableObjectStorage): void {
  const { setAlarm, getAlarm } = storage;
  const aheadMs = -toMachineMs(0);
  storage.setAlarm = function (atMs, options) {
    return setAlarm.call(this, toMachineMs(Number(atMs)), options);
  };
  storage.getAlarm = async function (options) {
    const atMs = await getAlarm.call(this, options);
    return atMs === null ? null : atMs + aheadMs;
  };
}

function convertExpirations(kv: KVNamespace): void {
  const { put, list } = kv;
  const aheadSeconds = -toMachineMs(0) / 1000;
  kv.put = function (this: KVNamespace, key, value, options = {}) {
    const { expiration } = options;
    const converted = expiration === undefined ? {} : { expiration: expiration - aheadSeconds };
    return put.call(this, key, value, { ...options, ...converted });
  };
  kv.list = async function <M>(this: KVNamespace, options?: KVNamespaceListOptions) {
    const listed = await list.call(this, options);
    const keys = listed.keys.map(({ expiration, ...key }) =>
      expiration === undefined ? key : { ...key, expiration: expiration + aheadSeconds },
    );
    return { ...listed, keys } as KVNamespaceListResult<M>;
  } as KVNamespace["list"];
}
