import assert from 'node:assert/strict';
import { statesByKind } from '@tollgate/contract';
import { okJson } from './answer.ts';
import { environmentIdleMs } from './environment-ask.ts';
import { copying, createdJson, deleteFile, getFile, upload } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { everyKind, kindRows, type KindRow } from './kind-rows.ts';
import { cancelOne, keyRing, makeOne, readOne, removeOne, whileProcessing } from './made-resource.ts';
import { liveClient } from './live-ask.ts';
import { workThrough } from './video-ask.ts';

type Kind = keyof typeof statesByKind;

/** The states of what is no resource, in their order. */
const otherTraces = {
  file: ['processing', 'active', 'expired', 'deleted'],
  live: ['reserved', 'processing', 'completed'],
} as const satisfies Partial<Record<Kind, readonly string[]>>;

const assertTrace = (kind: Kind, seen: readonly string[], trace: readonly string[]): void => {
  const states: ReadonlySet<string> = new Set(statesByKind[kind]);
  for (const state of seen) assert.ok(states.has(state), `${kind} ${state}`);
  assert.deepEqual(
    seen.filter((state, place) => state !== seen[place - 1]),
    trace,
  );
};

/** The states of one from its creation to its deletion. */
const traceOf = async (world: GatewayWorld, row: KindRow): Promise<readonly string[]> => {
  const seen: string[] = [];
  const keys = keyRing(world);
  const look = async (one: Parameters<typeof readOne>[1]): Promise<void> =>
    void seen.push((await readOne(world, one)).at('status').text());
  const one = row.deferred
    ? await whileProcessing(world, keys, row, async (running) => {
        seen.push(running.created.at('status').text());
        await look(running);
        if (row.kind !== 'batch' && row.kind !== 'interaction') return;
        seen.push(
          okJson(await cancelOne(world, running))
            .at('status')
            .text(),
        );
        await look(running);
      })
    : await makeOne(world, keys, row);
  await look(one);
  world.time.advance(environmentIdleMs + 1);
  await world.runJobs();
  await look(one);
  seen.push(
    okJson(await removeOne(world, one))
      .at('status')
      .text(),
  );
  await world.runJobs();
  await look(one);
  return seen;
};

/** Every kind passes through its own states. */
export const resourceTraceCases: readonly GatewayCase[] = [
  gatewayCase(
    'passes through the states of its kind, whatever it is [resources:states:by-kind]',
    async (world) => {
      // Every status that any answer of the suite shows is swept for its kind, too.
      for (const row of kindRows) assertTrace(row.kind, await traceOf(world, row), row.trace);
    },
    everyKind,
  ),
  gatewayCase(
    'passes through the states of a file [resources:states:by-kind]',
    async (world) => {
      world.provider.scriptFiles(
        { kind: 'answer', fileState: 'processing' },
        { kind: 'answer', fileState: 'processing' },
      );
      const created = createdJson(await upload(world));
      const id = created.at('id').text();
      const seen = [created.at('status').text()];
      const look = async (): Promise<void> =>
        void seen.push(
          okJson(await getFile(world, id))
            .at('status')
            .text(),
        );
      await look();
      await workThrough(world);
      await look();
      world.time.advance(environmentIdleMs);
      await world.runJobs();
      await look();
      seen.push(
        okJson(await deleteFile(world, id))
          .at('status')
          .text(),
      );
      await look();
      assertTrace('file', seen, otherTraces.file);
    },
    copying,
  ),
  gatewayCase('passes through the states of a session [resources:states:by-kind]', async (world) => {
    const client = await liveClient(world);
    const id = (await client.created()).at('id').text();
    const seen = [(await client.record(id)).at('status').text()];
    const { id: opened, socket, upstream } = await client.open();
    seen.push((await client.record(opened)).at('status').text());
    upstream.use({ input_text_tokens: 1 });
    socket.close();
    seen.push((await client.ended(opened)).at('status').text());
    assertTrace('live', seen, otherTraces.live);
  }),
];
