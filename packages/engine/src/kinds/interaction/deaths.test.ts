import type { Generation, Interacted, Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { addingRunner } from '../../../test/adding-runner.ts';
import { createInteractionWorld, tokens, type InteractionWorld } from '../../../test/interaction-world.ts';
import { sweep } from '../../sweep.ts';
import type { WorkKind } from '../../work/work-kind.ts';

/** A worker that dies as soon as its progress has become durable for the nth time. */
const dyingAt =
  (keeps: number, onDeath: () => void) =>
  (kind: WorkKind): WorkKind => {
    let left = keeps;
    return {
      ...kind,
      run: (work, context) =>
        kind.run(work, {
          ...context,
          keep: async (...args) => {
            await context.keep(...args);
            left -= 1;
            if (left > 0) return;
            onDeath();
            await new Promise(() => {});
          },
        }),
    };
  };

/** Lets a worker die at its nth mark, and another one take over; answers whether it came that far. */
const dieAndTakeOver = async (setting: InteractionWorld, keeps: number): Promise<boolean> => {
  const dying = setting.world.another();
  const death = Promise.withResolvers<'dead'>();
  setting.teach(
    dying,
    dyingAt(keeps, () => death.resolve('dead')),
  );
  await sweep(dying);
  const end = await Promise.race([death.promise, dying.workshop.idle().then(() => 'idle' as const)]);
  for (let round = 0; round < 4; round += 1) {
    await setting.world.clock.advance(setting.world.engine.limits.leaseMs + 1);
    await setting.work();
  }
  return end === 'dead';
};

const call = (id: string) => ({ kind: 'function_call', id, name: 'add', arguments: '{"a":1,"b":2}' }) as const;

const hop = (generation: Partial<Generation>) =>
  ({ kind: 'answer', generation: { usage: tokens(10), ...generation } }) as const;

/** What an interaction of two hops and two calls of a tool comes to, however often its worker dies. */
const checkLoop = async (keeps: number): Promise<boolean> => {
  const { runner, runs } = addingRunner();
  const setting = await createInteractionWorld({
    row: { capabilities: ['chat', 'functions'] },
    runners: { code_execution: { ...runner, isRepeatable: false } },
  });
  setting.provider.script(hop({ text: '', functionCalls: [call('c1'), call('c2')] }), hop({ text: 'Three.' }));
  const id = await setting.open({ tools: [{ kind: 'code_execution' }] });
  const died = await dieAndTakeOver(setting, keeps);
  const hops = setting.provider.calls.map((each) => each.call.operationId);
  expect(new Set(hops).size, `hop twice after mark ${keeps}`).toBe(hops.length);
  expect(runs(), `a call twice after mark ${keeps}`).toBeLessThanOrEqual(2);
  const { operation } = await setting.find(id);
  if (operation.state === 'uncertain') expect(operation.holdMicros).toBeGreaterThan(0n);
  else expect(operation).toMatchObject({ state: 'completed', chargedMicros: 220n, holdMicros: 0n });
  return died;
};

test('nothing is executed twice, and everything measured is charged, whichever mark a worker dies at', async () => {
  let keeps = 1;
  while (await checkLoop(keeps)) keeps += 1;
  // Two marks for each hop, and one for each call of a tool.
  expect(keeps - 1).toBe(6);
});

const jobs = () => {
  let starts = 0;
  const result: Interacted = { steps: [], status: 'completed', usage: tokens(7), note: null };
  const provider: Provider = {
    name: 'jobs',
    interactions: {
      start: () => {
        starts += 1;
        return Promise.resolve({ job: 'job' });
      },
      poll: () => Promise.resolve({ kind: 'done', result }),
    },
  };
  return { provider, starts: () => starts };
};

test.each([
  [1, 'uncertain', 0],
  [2, 'completed', 1],
])('a job is begun once, whichever mark a worker dies at: %i', async (keeps, state, starts) => {
  const made = jobs();
  const setting = await createInteractionWorld({ provider: made.provider });
  const id = await setting.open();
  expect(await dieAndTakeOver(setting, keeps)).toBe(true);
  expect([await setting.state(id), made.starts()]).toEqual([state, starts]);
});
