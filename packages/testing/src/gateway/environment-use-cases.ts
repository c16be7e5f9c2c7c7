import assert from 'node:assert/strict';
import type { ToolContext, ToolRunner } from '@tollgate/engine';
import { assertRefused, okJson } from './answer.ts';
import {
  createdEnvironment,
  deleteEnvironment,
  downloadFile,
  environmentIdleMs,
  environmentWith,
  getEnvironment,
  inline,
  listTree,
} from './environment-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { functionCall, interactionClient, scriptCalls } from './interaction-ask.ts';
import { workThrough } from './video-ask.ts';

/** A tool that does something with the environment of its interaction, and returns what it found. */
const working = (work: (context: ToolContext) => Promise<unknown>): ToolRunner<'code_execution'> => ({
  tool: 'code_execution',
  isRepeatable: false,
  callUsageMax: [],
  declare: () => Promise.resolve([{ name: 'work', parameters: { type: 'object' } }]),
  run: async (_setting, _run, context) => ({ result: await work(context), usage: [] }),
});

const environmentOf = ({ environmentId }: ToolContext): string => {
  assert.ok(environmentId !== null, 'the tool must know its environment');
  return environmentId;
};

const rewriting = working(async (context) => {
  const { environmentFiles: files } = context;
  const id = environmentOf(context);
  const listed = (await files.list(id)) ?? [];
  const put = [
    { path: 'out/result.json', bytes: Buffer.from(JSON.stringify(listed.map(({ path }) => path))) },
    { path: 'a.txt', bytes: Buffer.from('changed') },
  ];
  return files.change(id, { put, remove: ['b.txt'] });
});

const verdicts = working(async ({ mayAsk }) => {
  const told: unknown[] = [];
  for (const url of ['https://api.example.com/v1', 'http://api.example.com/', 'https://www.b.org', 'https://c.net'])
    told.push(await mayAsk(new URL(url)));
  return told;
});

const withCode = { tools: [{ type: 'code_execution' }] } as const;

/** What interactions do with environments. */
export const environmentUseCases: readonly GatewayCase[] = [
  gatewayCase(
    'keeps what a tool changes in the files of an environment, in one step',
    async (world) => {
      const id = await environmentWith(world, 'a.txt', 'b.txt');
      const client = await interactionClient(world);
      scriptCalls(world, functionCall('work'));
      await client.ended({ input: 'Work.', ...withCode, environment_id: id });
      const list = okJson(await listTree(world, id, '?recursive=true'));
      assert.deepEqual(
        list
          .at('data')
          .list()
          .map((entry) => entry.at('path').value),
        ['a.txt', 'out', 'out/result.json'],
      );
      assert.equal(await (await downloadFile(world, id, 'a.txt')).text(), 'changed');
      assert.equal(await (await downloadFile(world, id, 'out/result.json')).text(), '["a.txt","b.txt"]');
    },
    { tools: { code_execution: rewriting } },
  ),
  gatewayCase(
    'lets tools go where the environment says, with its headers [environments:body:network-allowlist]',
    async (world) => {
      const network = {
        allowlist: [{ domain: 'api.example.com', transform: { 'x-key': 'hidden' } }, { domain: '*.b.org' }],
      };
      const open = (await createdEnvironment(world, { network })).at('id').text();
      const shut = (await createdEnvironment(world)).at('id').text();
      const client = await interactionClient(world);
      const refused = { kind: 'refused' };
      const free = { kind: 'allowed', headers: {} };
      for (const [environment_id, told] of [
        [open, [{ kind: 'allowed', headers: { 'x-key': 'hidden' } }, refused, free, refused]],
        [shut, [refused, refused, refused, refused]],
      ] as const) {
        scriptCalls(world, functionCall('work'));
        const id = await client.ended({ input: 'Look.', ...withCode, environment_id });
        const steps = (await client.get(id)).at('result', 'steps').list();
        const result = steps.find((step) => step.at('type').value === 'code_execution_result');
        assert.deepEqual(result?.at('result').value, told);
      }
    },
    { tools: { code_execution: verdicts } },
  ),
  gatewayCase(
    'is not deleted while an interaction works with it, and is not idle from then on [environments:states:idle-expiry]',
    async (world) => {
      const id = (await createdEnvironment(world, { sources: [inline('a')] })).at('id').text();
      const client = await interactionClient(world);
      world.time.advance(environmentIdleMs - 1_000);
      await client.created({ input: 'Hello', environment_id: id });
      assertRefused(await deleteEnvironment(world, id), 409, 'request_in_progress');
      await workThrough(world);
      world.time.advance(environmentIdleMs / 2);
      await world.runJobs();
      assert.equal(okJson(await getEnvironment(world, id)).at('status').value, 'active');
      world.time.advance(environmentIdleMs / 2);
      assertRefused(await client.create({ input: 'Hello', environment_id: id }), 404, 'not_found');
      await world.runJobs();
      assert.equal(okJson(await getEnvironment(world, id)).at('status').value, 'expired');
    },
  ),
];
