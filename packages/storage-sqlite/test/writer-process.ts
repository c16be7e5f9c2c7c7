// A process of its own on a database file, for the tests beside it: `<path> <count> <in flight>` adds to the setting `count`
// that many times and writes each acknowledged number to standard output as it is acknowledged.
import { sqliteStorage } from '../src/index.ts';

const [path = '', count = '0', inFlight = '1'] = process.argv.slice(2);
const storage = sqliteStorage({ path, busyTimeoutMs: 30_000 });
let left = Number(count);

const increment = (): Promise<number> =>
  storage.transact([{ table: 'setting', id: 'count' }], (records) => {
    const next = Number(records.get('setting', 'count')?.value ?? 0) + 1;
    return { writes: [{ kind: 'put', table: 'setting', record: { id: 'count', value: String(next) } }], answer: next };
  });

/** Waits for a reader that is slow: its pipe may be full. */
const report = (value: number): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(`${value}\n`, (cause) => (cause ? reject(cause) : resolve()));
  return promise;
};

const client = async (): Promise<void> => {
  while (left > 0) {
    left -= 1;
    await report(await increment());
  }
};

await Promise.all(Array.from({ length: Number(inFlight) }, client));
await storage.close();
