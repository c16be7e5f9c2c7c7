import { postgresStorage } from '@tollgate/storage-postgres';
import type { Storage } from '@tollgate/storage';
import { Client } from 'pg';

/** Empty PostgreSQL storages for histories, and when all of them have answered. */
export interface PostgresWorlds {
  readonly open: (now: () => number) => Promise<Storage>;
  readonly atRest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A schema that is emptied between histories, for making one takes longer than a history. */
interface Seat {
  readonly schema: string;
  readonly storage: Storage;
  readonly clock: { now: () => number };
}

/** Counts the calls on their way, of all storages together. */
const createTraffic = () => {
  let calls = 0;
  const waiting: (() => void)[] = [];
  const look = (): void => {
    if (calls > 0) return;
    for (const wake of waiting.splice(0)) wake();
  };
  const counted = async <T>(call: Promise<T>): Promise<T> => {
    calls += 1;
    try {
      return await call;
    } finally {
      calls -= 1;
      // A client with a response may call again at once.
      if (calls === 0) setImmediate(look);
    }
  };
  const atRest = (): Promise<void> =>
    calls === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve));
  return { counted, atRest };
};

type Counted = ReturnType<typeof createTraffic>['counted'];

/** The storage with its calls counted; closing waits for those of a history without a waiting caller. */
const watchCalls = (storage: Storage, count: Counted, close: () => Promise<void>): Storage => {
  const own = new Set<Promise<unknown>>();
  const counted = <T>(call: Promise<T>): Promise<T> => {
    const answer = count(call).finally(() => own.delete(answer));
    own.add(answer);
    return answer;
  };
  return {
    transact: (keys, decide) => counted(storage.transact(keys, decide)),
    read: (keys) => counted(storage.read(keys)),
    list: (index, query) => counted(storage.list(index, query)),
    scan: (table, query) => counted(storage.scan(table, query)),
    claim: (query) => counted(storage.claim(query)),
    sumUsage: (query) => counted(storage.sumUsage(query)),
    blobs: {
      put: (key, bytes) => counted(storage.blobs.put(key, bytes)),
      get: (key) => counted(storage.blobs.get(key)),
      putStream: (key, chunks) => counted(storage.blobs.putStream(key, chunks)),
      getStream: (key, range) => counted(storage.blobs.getStream(key, range)),
      delete: (key) => counted(storage.blobs.delete(key)),
    },
    vectors: {
      put: (chunks) => counted(storage.vectors.put(chunks)),
      search: (query) => counted(storage.vectors.search(query)),
      remove: (documentId) => counted(storage.vectors.remove(documentId)),
    },
    close: async () => {
      await Promise.allSettled(own);
      await close();
    },
  };
};

const emptySchema = async (desk: Client, schema: string): Promise<void> => {
  const { rows } = await desk.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> 'schema_version'`,
    [schema],
  );
  await desk.query(rows.map(({ name }) => `DELETE FROM "${schema}"."${name}"`).join(';'));
};

/** As many at once as are asked for at once. */
export const createPostgresWorlds = async (url: string): Promise<PostgresWorlds> => {
  const { counted, atRest } = createTraffic();
  const desk = new Client({ connectionString: url });
  await desk.connect();
  const free: Seat[] = [];
  const all: Seat[] = [];
  const createSeat = async (schema: string): Promise<Seat> => {
    const clock = { now: Date.now };
    const storage = await postgresStorage({ connectionString: url, schema, now: () => clock.now() });
    const seat = { schema, storage, clock };
    all.push(seat);
    return seat;
  };
  let made = 0;
  const take = (): Seat | Promise<Seat> => {
    const seat = free.pop();
    if (seat !== undefined) return seat;
    made += 1;
    return createSeat(`world${made}`);
  };
  return {
    open: async (now) => {
      const seat = await take();
      seat.clock.now = now;
      return watchCalls(seat.storage, counted, async () => {
        await emptySchema(desk, seat.schema);
        free.push(seat);
      });
    },
    atRest,
    close: async () => {
      await Promise.all(all.map(({ storage }) => storage.close()));
      await desk.end();
    },
  };
};
