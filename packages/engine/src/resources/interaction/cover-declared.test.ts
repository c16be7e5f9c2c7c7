import type { Provider } from '@tollgate/provider';
import { createMemoryLedger } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { addingRunner } from '../../../test/adding-runner.ts';
import type { EngineWorld } from '../../../test/engine-world.ts';
import { createInteractionWorld, said, tokens, type InteractionWorldOptions } from '../../../test/interaction-world.ts';
import { interactionWork } from './interaction-work.ts';

interface Declaring extends InteractionWorldOptions {
  /** Input that the model reports. */
  readonly used?: number;
  /** Letters of what the client says. */
  readonly saidChars?: number;
  /** Whether it was opened by a version that kept no estimate. */
  readonly isOld?: boolean;
}

/** Takes what was kept of its estimate out of an interaction that was opened. */
const forgetEstimate = ({ storage }: EngineWorld, id: string): Promise<void> =>
  storage.transact([{ table: 'resource', id }], (records) => {
    const record = records.get('resource', id);
    const work = record === undefined ? null : interactionWork(record.work);
    if (record === undefined || work?.phase !== 'asked') throw new Error('the interaction has begun');
    const { held: _held, ...order } = work.order;
    return {
      writes: [{ kind: 'put', table: 'resource', record: { ...record, work: { ...work, order } } }],
      answer: undefined,
    };
  });

/** An interaction with a tool that declares one function with a description so long; notes what is held while the model is asked. */
const declaring = async (chars: number, { used = 10, saidChars = 5, isOld = false, ...options }: Declaring = {}) => {
  const { runner } = addingRunner();
  const held: bigint[] = [];
  const opened: { id: string | null } = { id: null };
  const provider: Provider = {
    name: 'noting',
    generate: async () => {
      const { operation } = await setting.find(opened.id ?? '');
      held.push(operation.holdMicros);
      return { text: 'Hi.', functionCalls: [], finish: 'stop', usage: tokens(used) };
    },
  };
  const declare = () => Promise.resolve([{ name: 'wordy', description: 'd'.repeat(chars) }]);
  const setting = await createInteractionWorld({
    row: { capabilities: ['chat', 'functions'] },
    runners: { code_execution: { ...runner, declare } },
    provider,
    ...options,
  });
  const id = await setting.open({ input: [said('x'.repeat(saidChars))], tools: [{ kind: 'code_execution' }] });
  opened.id = id;
  const openedMicros = (await setting.find(id)).operation.holdMicros;
  if (isOld) await forgetEstimate(setting.world, id);
  await setting.work();
  const anomalies = await setting.world.storage.list('anomalies', { of: '', limit: 10 });
  return { operation: (await setting.find(id)).operation, held, openedMicros, anomalies };
};

test('the hold covers the functions that tools declare, in every model round that it is for', async () => {
  const small = await declaring(0);
  const large = await declaring(30_000);
  expect(large.openedMicros).toBe(small.openedMicros);
  const [smallHold = 0n] = small.held;
  const [largeHold = 0n] = large.held;
  // Eight model rounds, and no model takes fewer than a token for eight letters.
  expect(largeHold - smallHold).toBeGreaterThan(8n * 3_750n);
  expect(large.operation).toMatchObject({ state: 'completed', chargedMicros: 10n, holdMicros: 0n });
});

test('an interaction fails free where the balance does not cover its declared functions', async () => {
  const { operation, held } = await declaring(500_000);
  expect(operation).toMatchObject({
    state: 'failed',
    errorCode: 'ai_insufficient_credits',
    chargedMicros: 0n,
    holdMicros: 0n,
  });
  expect(held).toEqual([]);
});

test('an interaction goes on where the balance covers no more than its first model round', async () => {
  // The output of one model round is a fraction of what eight of them hold.
  const { operation, held, openedMicros } = await declaring(150_000, { limits: { modelRoundsHeld: 64 } });
  expect(held).toEqual([openedMicros]);
  expect(operation).toMatchObject({ state: 'completed', chargedMicros: 10n });
});

test('an interaction fails free whose tools declare more than it may', async () => {
  const { operation, held } = await declaring(5_000, { limits: { declaredCharsMax: 4_000 } });
  expect(operation).toMatchObject({ state: 'failed', errorCode: 'input_limit', chargedMicros: 0n, holdMicros: 0n });
  expect(held).toEqual([]);
});

/** Input alone costs something, and above so many tokens twice as much. */
const pricesAbove = (above: number | null): Pick<Declaring, 'prices'> => ({
  prices: {
    perMillion: { input_text_tokens: '1', output_text_tokens: '0', code_execution_runs: '0' },
    ...(above !== null && { tiers: [{ above, perMillion: { input_text_tokens: '2' } }] }),
  },
});

test('the hold is by the prices of long input where what was asked and what is declared reach them together', async () => {
  const flat = await declaring(30_000, { saidChars: 30_000, ...pricesAbove(null) });
  const [wholeMicros = 0n] = flat.held;
  const above = [flat.openedMicros, wholeMicros - flat.openedMicros].map(Number);
  const long = { saidChars: 30_000, ...pricesAbove(Math.max(...above)), used: Number(wholeMicros) };
  const { held, openedMicros, operation, anomalies } = await declaring(30_000, long);
  expect(openedMicros).toBe(flat.openedMicros);
  expect(held).toEqual([2n * wholeMicros]);
  expect(operation).toMatchObject({ state: 'completed', chargedMicros: 2n * wholeMicros });
  expect(anomalies).toEqual([]);
});

test('an interaction of an earlier version, which kept no estimate, holds what the functions cost beside it', async () => {
  const [large, old] = [await declaring(30_000), await declaring(30_000, { isOld: true })];
  expect(old.held).toEqual(large.held);
  expect(old.operation).toMatchObject({ state: 'completed', chargedMicros: 10n });
});

test('asks the ledger of a host for nothing more where tools declare nothing', async () => {
  const ledger = createMemoryLedger();
  let extended = 0;
  const counting = {
    ...ledger,
    extend: (command: Parameters<typeof ledger.extend>[0]) => {
      extended += 1;
      return ledger.extend(command);
    },
  };
  const { runner } = addingRunner();
  const setting = await createInteractionWorld({
    row: { capabilities: ['chat', 'functions'] },
    runners: { code_execution: { ...runner, declare: () => Promise.resolve([]) } },
    ledger: counting,
  });
  ledger.deposit(setting.world.accountId, 1_000_000n);
  setting.provider.script({ kind: 'answer', generation: { text: 'Hi.', usage: tokens(10) } });
  const id = await setting.open({ tools: [{ kind: 'code_execution' }] });
  await setting.work();
  expect((await setting.find(id)).operation).toMatchObject({ state: 'completed', chargedMicros: 10n });
  expect(extended).toBe(0);
});
