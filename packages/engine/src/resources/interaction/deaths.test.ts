import type { Generation, Interacted, Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { addingRunner } from '../../../test/adding-runner.ts';
import { createInteractionWorld, tokens, type InteractionWorld } from '../../../test/interaction-world.ts';
import type { WorkKind } from '../../workers/work-kind.ts';
import { sweep, workersOf } from '../../../test/process-parts.ts';

/** A worker that dies as soon as its progress has become durable for the nth time. */
const dyingAt =
  (checkpoints: number, onDeath: () => void) =>
  (kind: WorkKind): WorkKind => {
    let left = checkpoints;
    return {
      ...kind,
      run: (work, context) =>
        kind.run(work, {
          ...context,
          checkpoint: async (...args) => {
            await context.checkpoint(...args);
            left -= 1;
            if (left > 0) return;
            onDeath();
            await new Promise(() => {});
          },
        }),
    };
  };

/** Lets a worker die at its nth mark, and another one take over; returns whether it came that far. */
const dieAndTakeOver = async (setting: InteractionWorld, checkpoints: number): Promise<boolean> => {
  const dying = setting.world.another();
  const death = Promise.withResolvers<'dead'>();
  setting.register(
    dying,
    dyingAt(checkpoints, () => death.resolve('dead')),
  );
  await sweep(dying);
  const end = await Promise.race([
    death.promise,
    workersOf(dying)
      .idle()
      .then(() => 'idle' as const),
  ]);
  for (let round = 0; round < 4; round += 1) {
    await setting.world.clock.advance(setting.world.engine.limits.leaseMs + 1);
    await setting.work();
  }
  return end === 'dead';
};

const call = (id: string) => ({ kind: 'function_call', id, name: 'add', arguments: '{"a":1,"b":2}' }) as const;

const modelRound = (generation: Partial<Generation>) =>
  ({ kind: 'answer', generation: { usage: tokens(10), ...generation } }) as const;

/** What an interaction of two model rounds and two calls of a tool comes to, however often its worker dies. */
const checkLoop = async (checkpoints: number): Promise<boolean> => {
  const { runner, runs } = addingRunner();
  const setting = await createInteractionWorld({
    row: { capabilities: ['chat', 'functions'] },
    runners: { code_execution: { ...runner, isRepeatable: false } },
  });
  setting.provider.script(
    modelRound({ text: '', functionCalls: [call('c1'), call('c2')] }),
    modelRound({ text: 'Three.' }),
  );
  const id = await setting.open({ tools: [{ kind: 'code_execution' }] });
  const died = await dieAndTakeOver(setting, checkpoints);
  const rounds = setting.provider.calls.map((each) => each.call.operationId);
  expect(new Set(rounds).size, `hop twice after mark ${checkpoints}`).toBe(rounds.length);
  expect(runs(), `a call twice after mark ${checkpoints}`).toBeLessThanOrEqual(2);
  const { operation } = await setting.find(id);
  if (operation.state === 'uncertain') {
    expect(operation.holdMicros).toBeGreaterThan(0n);
    // What the model rounds before were measured to use is known, by any worker.
    const known = checkpoints === 2 ? null : expect.arrayContaining([{ unit: 'input_text_tokens', quantity: 10 }]);
    expect(operation.usageAtLeast, `known after mark ${checkpoints}`).toEqual(known);
  } else expect(operation).toMatchObject({ state: 'completed', chargedMicros: 220n, holdMicros: 0n });
  return died;
};

test('nothing is executed twice, and everything measured is charged, whichever mark a worker dies at', async () => {
  let checkpoints = 1;
  while (await checkLoop(checkpoints)) checkpoints += 1;
  // One mark before the tools are asked for their functions, two for each model round, and one for each call of a tool.
  expect(checkpoints - 1).toBe(7);
});

/** Lets as many workers as there are rounds die in a tool, or in its declaration, and lets one more take over. */
const dieInTool = async (
  setting: InteractionWorld,
  rounds: number,
  nextBegin: () => Promise<undefined>,
): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    const dying = setting.world.another();
    setting.register(dying);
    const began = nextBegin();
    await sweep(dying);
    await began;
    await setting.world.clock.advance(setting.world.engine.limits.leaseMs + 1);
  }
};

/** Does not return the first two times, as in a process that ends there; tells each time that it is begun. */
const killing = () => {
  let begun = 0;
  let next = Promise.withResolvers<undefined>();
  return {
    begun: () => begun,
    /** Resolves when it is begun the next time. */
    next: (): Promise<undefined> => {
      next = Promise.withResolvers();
      return next.promise;
    },
    kill: <T>(survive: () => Promise<T>): Promise<T> => {
      begun += 1;
      next.resolve(undefined);
      return begun <= 2 ? new Promise(() => {}) : survive();
    },
  };
};

test('an interaction whose tools kill each worker that asks for their functions fails free after two deaths', async () => {
  const death = killing();
  const { runner } = addingRunner();
  const setting = await createInteractionWorld({
    row: { capabilities: ['chat', 'functions'] },
    runners: { code_execution: { ...runner, declare: (...given) => death.kill(() => runner.declare(...given)) } },
  });
  const id = await setting.open({ tools: [{ kind: 'code_execution' }] });
  await dieInTool(setting, 2, () => death.next());
  await setting.work();
  expect((await setting.find(id)).operation).toMatchObject({
    state: 'failed',
    errorCode: 'request_failed',
    chargedMicros: 0n,
    holdMicros: 0n,
  });
  expect([death.begun(), setting.provider.calls.length]).toEqual([2, 0]);
});

test('a call that kills each worker that runs it is not run a third time', async () => {
  const death = killing();
  const { runner } = addingRunner();
  const setting = await createInteractionWorld({
    row: { capabilities: ['chat', 'functions'] },
    runners: {
      code_execution: { ...runner, run: () => death.kill(() => Promise.resolve({ result: '3', usage: [] })) },
    },
  });
  setting.provider.script(modelRound({ text: '', functionCalls: [call('c1')] }), modelRound({ text: 'It failed.' }));
  const id = await setting.open({ tools: [{ kind: 'code_execution' }] });
  await dieInTool(setting, 2, () => death.next());
  await setting.work();
  expect(await setting.state(id)).toBe('completed');
  expect(death.begun()).toBe(2);
  expect((await setting.result(id)).steps).toContainEqual({
    type: 'code_execution_result',
    call_id: 'c1',
    result: 'The call was interrupted.',
    is_error: true,
  });
});

const jobs = () => {
  let starts = 0;
  const result: Interacted = { steps: [], status: 'completed', usage: tokens(7), reference: null };
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

test('a worker that dies at the mark before a job starts leaves it uncertain: no worker starts it again', async () => {
  const made = jobs();
  const setting = await createInteractionWorld({ provider: made.provider });
  const id = await setting.open();
  expect(await dieAndTakeOver(setting, 1)).toBe(true);
  expect([await setting.state(id), made.starts()]).toEqual(['uncertain', 0]);
});

test('a job that a worker started is polled by another one, and never started again', async () => {
  const made = jobs();
  const setting = await createInteractionWorld({ provider: made.provider });
  const id = await setting.open();
  // The worker reaches no second mark: the job is stored as its turn ends.
  expect(await dieAndTakeOver(setting, 2)).toBe(false);
  expect([await setting.state(id), made.starts()]).toEqual(['completed', 1]);
});

test('a call of a tool of the host that only reads runs again after a death, and any other is reported as interrupted', async () => {
  for (const isRepeatable of [true, false]) {
    const death = killing();
    const setting = await createInteractionWorld({
      row: { capabilities: ['chat', 'functions'] },
      runners: {
        own: {
          add: {
            isRepeatable,
            callUsageMax: [{ unit: 'code_execution_runs', quantity: 1 }],
            run: () => death.kill(() => Promise.resolve({ result: '3', usage: [] })),
          },
        },
      },
    });
    setting.provider.script(modelRound({ text: '', functionCalls: [call('c1')] }), modelRound({ text: 'Three.' }));
    const id = await setting.open({ tools: [{ kind: 'host_tool', name: 'add' }] });
    await dieInTool(setting, isRepeatable ? 2 : 1, () => death.next());
    await setting.work();
    const { steps } = await setting.result(id);
    expect(steps[1]).toMatchObject({ type: 'host_tool_result', name: 'add', result: 'The call was interrupted.' });
    expect([death.begun(), (await setting.find(id)).operation.state]).toEqual([isRepeatable ? 2 : 1, 'completed']);
  }
});
