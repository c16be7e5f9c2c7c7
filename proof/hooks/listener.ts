import { once } from 'node:events';
import { createServer } from 'node:http';

export interface HeardEvent {
  readonly of: 'settled' | 'low_balance' | 'threshold' | 'uncertain' | 'anomaly';
  readonly id: string;
  readonly requestId: string | null;
  /** The process that hands it over. */
  readonly pid: number;
}

export interface Listener {
  readonly port: number;
  /** What was heard, in order; an event that its worker did not live to acknowledge comes again. */
  readonly heard: readonly HeardEvent[];
  readonly close: () => Promise<void>;
}

/** The host's side: notes what it hears. Where `dies` says that the sender is dead, it responds nothing. */
export const startListener = async (dies: (event: HeardEvent) => Promise<boolean>): Promise<Listener> => {
  const heard: HeardEvent[] = [];
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      // Only `hook-worker.ts` sends here.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const event = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as HeardEvent;
      heard.push(event);
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
