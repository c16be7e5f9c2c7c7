import { once } from 'node:events';
import { createServer } from 'node:http';

export interface HeardEvent {
  readonly of: 'settled' | 'low_balance' | 'threshold' | 'uncertain' | 'anomaly';
  readonly id: string;
  readonly requestId: string | null;
  /** The process that hands it over. */
  readonly pid: number;
}

/** An event as the host heard it once. */
export interface Hearing extends HeardEvent {
  /** Whether the storage still had it then: what a worker has acknowledged is off the record. */
  readonly isOnRecord: boolean;
}

export interface Listener {
  readonly port: number;
  /** What was heard, in order; an event that its worker did not live to acknowledge comes again. */
  readonly heard: readonly Hearing[];
  readonly close: () => Promise<void>;
}

export interface ListenerOptions {
  /** Whether the storage has an event now. */
  readonly isOnRecord: (id: string) => Promise<boolean>;
  /** Whether the sender of an event is dead by now: then nothing is responded. */
  readonly dies: (event: HeardEvent) => Promise<boolean>;
}

/** The host's side: notes what it hears, and whether it was acknowledged before. */
export const startListener = async ({ isOnRecord, dies }: ListenerOptions): Promise<Listener> => {
  const heard: Hearing[] = [];
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      // Only `hook-worker.ts` sends here.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const event = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as HeardEvent;
      heard.push({ ...event, isOnRecord: await isOnRecord(event.id) });
      if (await dies(event)) response.destroy();
      else response.end();
    };
    take().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    heard,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
