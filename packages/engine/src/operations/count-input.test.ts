import type { Caller, GenerationCall, Provider, Usage } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { countInput } from './count-input.ts';

const call = { upstreamModel: 'up', contents: [] } as unknown as Omit<GenerationCall, 'operationId'>;

const provider = (countTokens: Provider['countTokens']): Provider => ({
  name: 'counting',
  ...(countTokens === undefined ? {} : { countTokens }),
});

/** An engine whose time passes when it is asked to. */
const timed = () => {
  const waiting: (() => void)[] = [];
  const warnings: string[] = [];
  const engine = {
    clock: {
      after: (_: number, run: () => void) => {
        waiting.push(run);
        return () => void waiting.splice(waiting.indexOf(run), 1);
      },
    },
    logger: { info: () => {}, warn: (message: string) => void warnings.push(message), error: () => {} },
  };
  return { engine, waiting, warnings };
};

const caller = { accountId: 'a', projectId: 'p', keyId: 'k' };

const tokens: readonly Usage[] = [{ unit: 'input_video_tokens', quantity: 12, confirmed: true }];

test('returns what the provider counts, and asks without an operation', async () => {
  const { engine, waiting } = timed();
  const asked: GenerationCall[] = [];
  const callers: Caller[] = [];
  const counting = provider((counted, context) => {
    asked.push(counted);
    callers.push(context.caller);
    return Promise.resolve(tokens);
  });
  expect(await countInput(engine, counting, call, caller)).toEqual(tokens);
  expect(asked).toEqual([{ ...call, operationId: '' }]);
  expect(callers).toEqual([caller]);
  expect(waiting).toEqual([]);
});

test('leaves it to the bound where a provider cannot count, fails, or measures nothing', async () => {
  const { engine, warnings } = timed();
  expect(await countInput(engine, provider(undefined), call, caller)).toBeNull();
  expect(
    await countInput(
      engine,
      provider(() => Promise.reject(new Error('no'))),
      call,
      caller,
    ),
  ).toBeNull();
  expect(warnings).toEqual(['the input of a call could not be counted']);
  for (const usage of [[], [{ ...tokens[0], confirmed: false }], [{ ...tokens[0], quantity: -1 }]])
    expect(
      await countInput(
        engine,
        provider(() => Promise.resolve(usage as readonly Usage[])),
        call,
        caller,
      ),
    ).toBeNull();
});

test('waits for a limited time, and tells the provider to stop', async () => {
  const { engine, waiting } = timed();
  const signals: AbortSignal[] = [];
  const slow = provider((_, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  const counted = countInput(engine, slow, call, caller);
  await Promise.resolve();
  for (const run of waiting) run();
  expect(await counted).toBeNull();
  expect(signals[0]?.aborted).toBe(true);
});
