import {
  NotExecuted,
  type Interacted,
  type InteractionCall,
  type JobProgress,
  type Provider,
} from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createInteractionWorld, said, tokens, type InteractionWorld } from '../../../test/interaction-world.ts';
import { cancelResource } from '../cancel-resource.ts';

type Progress = JobProgress<Interacted>;

const finished = (change: Partial<Interacted> = {}): Progress => ({
  kind: 'done',
  result: {
    steps: [{ kind: 'model_output', content: [{ kind: 'text', text: 'Done.' }] }],
    status: 'completed',
    usage: tokens(7),
    reference: 'noted',
    ...change,
  },
});

/** A provider whose jobs go as a test wrote down; when nothing is written they are done. */
const jobProvider = (...progress: readonly (Progress | Error)[]) => {
  const script = [...progress];
  const started: InteractionCall[] = [];
  const cancelled: string[] = [];
  let start: (() => Promise<void>) | null = null;
  const provider: Provider = {
    name: 'jobs',
    interactions: {
      start: async (call) => {
        started.push(call);
        await start?.();
        return { job: `job ${started.length}` };
      },
      poll: () => {
        const next = script.shift() ?? finished();
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      cancel: (job) => {
        cancelled.push(job);
        return Promise.resolve();
      },
    },
  };
  return {
    provider,
    started,
    cancelled,
    whenStarted: (run: () => Promise<void>): void => {
      start = run;
    },
  };
};

const findReference = (id: string) => Promise.resolve(`note of ${id}`);

const pauseMs = 20_000;

/** Asks until nothing changes by it any more. */
const workOn = async ({ work, world }: InteractionWorld, rounds = 4): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    await work();
    await world.clock.advance(pauseMs);
  }
};

test('hands an interaction over as a job, asks for it until it is done, and settles it', async () => {
  const jobs = jobProvider({ kind: 'running' }, { kind: 'running', job: 'another name' });
  const setting = await createInteractionWorld({ provider: jobs.provider });
  const id = await setting.open();
  await workOn(setting);
  expect(await setting.state(id)).toBe('completed');
  expect((await setting.result(id)).steps).toEqual([
    { type: 'model_output', content: [{ type: 'text', text: 'Done.' }] },
  ]);
  expect((await setting.find(id)).operation).toMatchObject({ chargedMicros: 7n });
  expect(jobs.started).toMatchObject([
    { operationId: id, history: [], previousReference: null, input: [said('Hello')] },
  ]);
});

test('hands on what the provider noted of the interaction that it continues, and its history', async () => {
  const jobs = jobProvider(
    finished({ status: 'requires_action', steps: [{ kind: 'function_call', id: 'c', name: 'f', arguments: '{}' }] }),
  );
  const setting = await createInteractionWorld({ provider: jobs.provider });
  const first = await setting.open();
  await workOn(setting);
  expect(await setting.state(first)).toBe('requires_action');
  await setting.open({ previousId: first, input: [{ kind: 'function_result', callId: 'c', result: 'ok' }] });
  await workOn(setting);
  expect(jobs.started[1]).toMatchObject({
    previousReference: 'noted',
    history: [{ kind: 'user_input' }, { kind: 'function_call', id: 'c' }],
    input: [{ kind: 'function_result', callId: 'c', name: 'f', result: 'ok' }],
  });
});

test("takes only the upstream's own word for a failure, and asks again where a question was not answered", async () => {
  const lost = jobProvider(new Error('lost'), new NotExecuted({ reason: 'unavailable' }));
  const setting = await createInteractionWorld({ provider: lost.provider });
  const id = await setting.open();
  await workOn(setting);
  expect(await setting.state(id)).toBe('completed');
  const failed = await createInteractionWorld({
    provider: jobProvider(new NotExecuted({ reason: 'failed' })).provider,
  });
  const other = await failed.open();
  await workOn(failed);
  expect((await failed.find(other)).operation).toMatchObject({ state: 'failed', chargedMicros: 0n, holdMicros: 0n });
});

test('is uncertain where the upstream measured nothing', async () => {
  const setting = await createInteractionWorld({ provider: jobProvider(finished({ usage: [] })).provider });
  const id = await setting.open();
  await workOn(setting);
  expect(await setting.state(id)).toBe('uncertain');
});

test('tells the upstream once that the client wants an end, and charges what it did until then', async () => {
  const running: Progress = { kind: 'running' };
  const jobs = jobProvider(running, running, finished({ status: 'cancelled', steps: [], usage: tokens(3) }));
  const setting = await createInteractionWorld({ provider: jobs.provider });
  const id = await setting.open();
  await workOn(setting, 2);
  await cancelResource(setting.world.engine, setting.world.projectId, 'interaction', id);
  expect(await setting.state(id)).toBe('cancelling');
  await workOn(setting);
  expect(jobs.cancelled).toEqual(['job 1']);
  expect((await setting.find(id)).operation).toMatchObject({ state: 'completed', chargedMicros: 3n });
  expect((await setting.result(id)).status).toBe('cancelled');
});

test('keeps media that came out and hands them out by their index', async () => {
  const picture = { kind: 'media', mimeType: 'image/png', data: Buffer.from('picture').toString('base64') } as const;
  const output = { kind: 'model_output', content: [picture, { kind: 'text', text: 'and' }, picture] } as const;
  const setting = await createInteractionWorld({
    provider: jobProvider(finished({ steps: [output] })).provider,
    limits: { inlineMediaBytesMax: 5 },
  });
  const id = await setting.open();
  await workOn(setting);
  expect((await setting.result(id)).steps).toEqual([
    {
      type: 'model_output',
      content: [
        { type: 'image', mime_type: 'image/png', uri: `/interactions/${id}/content?index=0`, index: 0 },
        { type: 'text', text: 'and' },
        { type: 'image', mime_type: 'image/png', uri: `/interactions/${id}/content?index=1`, index: 1 },
      ],
    },
  ]);
});

/** Another process takes over what this one has left behind. */
const takeOver = async (setting: InteractionWorld): Promise<void> => {
  const other = setting.world.another();
  setting.register(other);
  await setting.world.clock.advance(setting.world.engine.limits.leaseMs + 1);
  await setting.work(other);
};

test('reports an unknown outcome where a job was submitted and its name was not recorded', async () => {
  const jobs = jobProvider();
  const entered = Promise.withResolvers<void>();
  jobs.whenStarted(() => {
    entered.resolve();
    return new Promise(() => {});
  });
  const setting = await createInteractionWorld({ provider: jobs.provider });
  const id = await setting.open();
  await setting.begin();
  await entered.promise;
  await takeOver(setting);
  expect(await setting.state(id)).toBe('uncertain');
  expect(jobs.started.length).toBe(1);
});

test('polls a job whose name is recorded, and submits nothing again', async () => {
  const jobs = jobProvider({ kind: 'running', afterMs: 3_600_000 });
  const setting = await createInteractionWorld({ provider: jobs.provider });
  const id = await setting.open();
  await workOn(setting, 2);
  const other = setting.world.another();
  setting.register(other);
  await setting.world.clock.advance(3_600_000);
  await setting.work(other);
  expect(await setting.state(id)).toBe('completed');
  expect(jobs.started.length).toBe(1);
});

test('hands on the states and notes of what a job is to know, and bounds its output as the client did', async () => {
  const call = {
    kind: 'tool_call',
    id: 'c',
    tool: 'code_execution',
    arguments: { code: '1' },
    context: 'state',
  } as const;
  const jobs = jobProvider(finished({ steps: [call] }));
  const setting = await createInteractionWorld({ provider: jobs.provider, findReference });
  const first = await setting.open();
  await workOn(setting);
  const settings = {
    systemInstruction: null,
    format: { kind: 'text' },
    sampling: {},
    round: { toolChoice: { kind: 'auto' }, responseFormat: { kind: 'text' }, outputTokensMax: 50 },
  } as const;
  await setting.open({
    previousId: first,
    settings,
    tools: [{ kind: 'file_search', stores: [{ id: 's', reference: null }] }],
  });
  await workOn(setting);
  const [, second] = jobs.started;
  expect(second?.history.at(-1)).toEqual(call);
  expect(second?.tools).toEqual([{ kind: 'file_search', stores: [{ id: 's', reference: 'note of s' }] }]);
  expect(second?.outputTokensMax).toBe(50);
});

test('waits for the provider of a job that is away, for as long as a job may take', async () => {
  const jobs = jobProvider({ kind: 'running' });
  const setting = await createInteractionWorld({ provider: jobs.provider, limits: { jobMs: 600_000 } });
  const id = await setting.open();
  await setting.work();
  Object.assign(jobs.provider, { interactions: undefined });
  await setting.world.clock.advance(pauseMs);
  await workOn(setting);
  expect(await setting.state(id)).toBe('processing');
  await setting.world.clock.advance(600_000);
  await workOn(setting);
  expect(await setting.state(id)).toBe('uncertain');
});

test('is given up after as many tries as it has, where its provider does not take it', async () => {
  const jobs = jobProvider();
  jobs.whenStarted(() => Promise.reject(new NotExecuted({ reason: 'unavailable' })));
  const setting = await createInteractionWorld({ provider: jobs.provider, limits: { triesMax: 3 } });
  const id = await setting.open();
  for (let round = 0; round < 8; round += 1) {
    await setting.work();
    await setting.world.clock.advance(600_000);
  }
  expect((await setting.find(id)).operation).toMatchObject({ state: 'failed', chargedMicros: 0n });
  expect(jobs.started).toHaveLength(3);
});
