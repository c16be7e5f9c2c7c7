import assert from 'node:assert/strict';
import type { ScriptedStep } from '../fakes/scripted-step.ts';
import { okJson, type Json } from './answer.ts';
import { batchOf } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { functionCall, stepsOf } from './interaction-ask.ts';
import { everyKind, kindRows, type KindRow } from './kind-rows.ts';
import { cancelOne, finishAll, keyRing, readOne, whileProcessing, type MadeResource } from './made-resource.ts';
import { storeId } from './store-ask.ts';
import { plainAnswerMicros } from './suite-tariff.ts';

/** More items than are worked on at once. */
const manyItems = Array.from({ length: 20 }, (_, place) => `k${place}`);

/** A batch of which items wait, and an interaction that still has a tool to run. */
const bodies: Readonly<Record<'batch' | 'interaction', KindRow['body']>> = {
  batch: () => Promise.resolve(batchOf(...manyItems)),
  interaction: async (world, key) => ({
    input: 'Look it up.',
    tools: [{ type: 'file_search', stores: [await storeId(world, { key })] }],
  }),
};

const callsTool: ScriptedStep = {
  kind: 'answer',
  generation: { text: '', functionCalls: [functionCall('file_search', { query: 'ships' })] },
};

/**
 * The kinds that can be cancelled, of which everything that runs waits, and then goes on with the step. The batch comes last:
 * it leaves steps of the script over.
 */
const cancellable = (next: Readonly<Record<'batch' | 'interaction', ScriptedStep>>): readonly KindRow[] =>
  kindRows.toReversed().flatMap((row) =>
    row.kind === 'batch' || row.kind === 'interaction'
      ? [
          {
            ...row,
            body: bodies[row.kind],
            hold: (world: GatewayWorld, until: Promise<unknown>) =>
              world.provider.script(
                ...manyItems
                  .slice(0, row.kind === 'batch' ? manyItems.length : 1)
                  .map(
                    () =>
                      ({ kind: 'wait', until, next: row.kind === 'batch' ? next.batch : next.interaction }) as const,
                  ),
              ),
          },
        ]
      : [],
  );

const walletOf = (world: GatewayWorld) => world.wallet.read(world.accountId);

const credits = (micros: bigint): number => Number(micros) / 1_000_000;

/** Cancels one in the middle of its work. */
const cancelMidway = (world: GatewayWorld, row: KindRow): Promise<MadeResource> =>
  whileProcessing(world, keyRing(world), row, async (one) => {
    assert.equal(okJson(await cancelOne(world, one)).at('status').value, 'cancelling');
    // Asked again, and checked: nothing more happens until what runs has ended.
    assert.equal(okJson(await cancelOne(world, one)).at('status').value, 'cancelling');
    assert.equal((await readOne(world, one)).at('status').value, 'cancelling');
    assert.equal((await world.record(one.id)).at('status').value, 'processing');
  });

/** What was interrupted inside of a result, and what was not. */
const insideOf = ({ row }: MadeResource, record: Json): readonly Json[] =>
  row.kind === 'batch' ? record.at('result', 'results').list() : stepsOf(record);

const answering = { batch: { kind: 'answer' }, interaction: callsTool } as const;
const doubting = { batch: { kind: 'unknown' }, interaction: { kind: 'unknown' } } as const;

/** Cancellation of whatever can be cancelled. */
export const resourceCancelCases: readonly GatewayCase[] = [
  gatewayCase(
    'shows what is cancelled as cancelling until what runs has ended [resources:cancel:requested]',
    async (world) => {
      await world.wallet.deposit(world.accountId, 10_000_000_000n);
      for (const row of cancellable(answering)) {
        const one = await cancelMidway(world, row);
        assert.equal((await readOne(world, one)).at('status').value, 'completed');
        assert.equal((await world.record(one.id)).at('status').value, 'completed');
      }
    },
    everyKind,
  ),
  gatewayCase(
    'completes with what was done, marks what was interrupted, and charges what was consumed [resources:cancel:ends-completed]',
    async (world) => {
      await world.wallet.deposit(world.accountId, 10_000_000_000n);
      for (const row of cancellable(answering)) {
        const before = await walletOf(world);
        const calls = world.provider.calls.length;
        const one = await cancelMidway(world, row);
        const ran = BigInt(world.provider.calls.length - calls);
        const record = await readOne(world, one);
        assert.ok(ran > 0n && ran < BigInt(manyItems.length), `${ran} calls`);
        assert.deepEqual(
          ['status', 'charged_credits', 'reserved_credits', 'error_code'].map((name) => record.at(name).value),
          ['completed', credits(ran * plainAnswerMicros), 0, null],
        );
        const after = await walletOf(world);
        assert.deepEqual(
          [before.balanceMicros - after.balanceMicros, after.reservedMicros],
          [ran * plainAnswerMicros, 0n],
        );
        const inside = insideOf(one, record);
        const cancelled = inside.filter(
          (each) => each.at(row.kind === 'batch' ? 'status' : 'result').value === 'cancelled',
        );
        assert.equal(cancelled.length, row.kind === 'batch' ? manyItems.length - Number(ran) : 1);
        assert.ok(inside.length > cancelled.length, 'what was done must be there');
      }
    },
    everyKind,
  ),
  gatewayCase(
    'leaves unchanged what is over when it is cancelled [resources:cancel:final-unchanged]',
    async (world) => {
      await world.wallet.deposit(world.accountId, 10_000_000_000n);
      for (const row of cancellable(answering)) {
        const one = await cancelMidway(world, row);
        const keys = keyRing(world);
        const [completed] = await finishAll(
          world,
          keys,
          kindRows.filter(({ kind }) => kind === row.kind),
        );
        assert.ok(completed !== undefined);
        for (const final of [one, completed]) {
          const before = await readOne(world, final);
          const wallet = await walletOf(world);
          assert.deepEqual(okJson(await cancelOne(world, final)).value, before.value);
          await world.runJobs();
          assert.deepEqual((await readOne(world, final)).value, before.value);
          assert.deepEqual(await walletOf(world), wallet);
        }
      }
    },
    everyKind,
  ),
  gatewayCase(
    'is uncertain and keeps its hold where it is unknown what it consumed before it was cancelled [resources:cancel:unknown-usage]',
    async (world) => {
      await world.wallet.deposit(world.accountId, 10_000_000_000n);
      for (const row of cancellable(doubting)) {
        const one = await cancelMidway(world, row);
        const record = await readOne(world, one);
        assert.deepEqual(
          ['status', 'charged_credits', 'error_code', 'result'].map((name) => record.at(name).value),
          ['uncertain', 0, 'settlement_pending', null],
        );
        const held = (await walletOf(world)).reservedMicros;
        assert.ok(held > 0n);
        assert.equal(record.at('reserved_credits').value, credits(held));
        assert.deepEqual(okJson(await cancelOne(world, one)).value, record.value);
        await world.admin.resolveOperation(one.id, { executed: false });
        assert.equal((await walletOf(world)).reservedMicros, 0n);
        assert.equal((await readOne(world, one)).at('status').value, 'failed');
      }
    },
    everyKind,
  ),
];
