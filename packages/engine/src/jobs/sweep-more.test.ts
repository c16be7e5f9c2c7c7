import { listRowsMax, type Write } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDocumentWorld, type DocumentWorld } from '../../test/document-world.ts';
import { createEngineWorld, type EngineWorld } from '../../test/engine-world.ts';
import { giveSender, partsOf, sweep } from '../../test/process-parts.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import { createWebhook, listDeliveries } from '../webhooks/webhooks.ts';

const storeAll = ({ storage }: EngineWorld, writes: readonly Write[]): Promise<void> =>
  storage.transact(
    writes.flatMap((write) => (write.kind === 'put' ? [{ table: write.table, id: write.record.id }] : [])),
    () => ({ writes, answer: undefined }),
  );

/** So many rows, each with an id of its own. */
const rows = (length: number, of: (id: string) => Write): readonly Write[] =>
  Array.from({ length }, (_, at) => of(`due ${String(at).padStart(3, '0')}`));

/** Files that a sweep takes up at once. */
const filesAtOnce = 32;

/** What fills a round of the sweep, by the table of the rows. */
const dueRows = {
  pendingBlob: async () =>
    rows(listRowsMax, (id) => ({ kind: 'put', table: 'pendingBlob', record: { id, owner: null, dueAtMs: 0 } })),
  resource: async (world: DocumentWorld) => {
    const { resource } = await world.find('store', await world.createStore());
    return rows(listRowsMax, (id) => ({ kind: 'put', table: 'resource', record: { ...resource, id, dueAtMs: 0 } }));
  },
  file: async (world: DocumentWorld) => {
    const file = await world.upload();
    return rows(filesAtOnce, (id) => ({
      kind: 'put',
      table: 'file',
      record: { ...file, id, status: 'deleted', dueAtMs: 0 },
    }));
  },
} as const;

test.each(['pendingBlob', 'resource', 'file'] as const)(
  'says that there is more to do where one round is full, if only of rows of %s',
  async (table) => {
    const world = await createDocumentWorld();
    const engine = world.process({ limits: { sweepRoundsMax: 1 } });
    await storeAll(world, await dueRows[table](world));
    expect(await sweep(engine)).toMatchObject({ more: true });
    expect(await sweep(engine)).toMatchObject({ more: false });
  },
);

const sender: WebhookSender = {
  check: (url) => Promise.resolve({ kind: 'allowed', url }),
  send: () => Promise.resolve({ kind: 'answered', status: 200, retryAfterMs: null }),
  close: () => Promise.resolve(),
};

test('says that there is more to do where deliveries alone fill a round', async () => {
  const world = await createEngineWorld(100n, { limits: { sweepRoundsMax: 1 } });
  const { engine, projectId } = world;
  giveSender(engine, sender);
  const { deliveries } = partsOf(engine);
  const hook = { projectId, url: 'https://receiver.example/hook', events: ['request.completed'] } as const;
  const created = await createWebhook(engine, hook);
  await world.run();
  await sweep(engine);
  await deliveries?.idle();
  const [sent] = created.kind === 'created' ? await listDeliveries(engine, created.webhook.id) : [];
  if (sent === undefined) throw new Error('nothing was sent');
  const due = { ...sent, status: 'pending', owner: null, dueAtMs: 0 } as const;
  await storeAll(
    world,
    rows(listRowsMax, (id) => ({ kind: 'put', table: 'delivery', record: { ...due, id } })),
  );
  expect(await sweep(engine)).toMatchObject({ more: true });
});
