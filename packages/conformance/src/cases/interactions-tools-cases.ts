import type { Kit } from '../kit/kit.ts';
import { jsonOf, type Json } from '../wire/json.ts';
import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { unknownId } from '../kit/routes.ts';
import { directed } from './bodies.ts';
import { ended, finished, made } from './made-resource.ts';
import { path, refused, withTool } from './interaction-ask.ts';

const look = { type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

/** An interaction that waits for a function of the client, and the call. */
const calling = async (kit: Kit): Promise<{ readonly record: Json; readonly call: Json }> => {
  const body = kit.body('chat', { input: directed('tool look {}'), tools: [look] });
  const record = await finished(kit, kit.rule, { path, body });
  const status = record.at('status').text();
  kit.need(kit.rule, status === 'requires_action', `the status is ${status}`);
  const steps = record.at('result', 'steps').list();
  const call = steps.find((step) => step.at('type').value === 'function_call');
  kit.need(kit.rule, call !== undefined, 'no function_call in the steps');
  return { record, call: call ?? jsonOf(undefined) };
};

export const interactionsToolsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'refuses tools that there are not, and wrong ones',
    {
      rules: [
        'interactions:tools:unknown',
        'interactions:tools:function',
        'interactions:tools:maps',
        'interactions:tools:computer-use',
        'interactions:tools:file-search',
        'interactions:tools:mcp-server',
        'interactions:tools:mcp-headers',
      ],
    },
    async (kit) => {
      await refused(kit, 'interactions:tools:unknown', [withTool({ type: 'nope' })]);
      await refused(kit, 'interactions:tools:function', [withTool({ type: 'function' })]);
      await refused(kit, 'interactions:tools:maps', [
        withTool({ type: 'maps', latitude: 90.1, longitude: 0 }),
        withTool({ type: 'maps', latitude: 0, longitude: 180.1 }),
      ]);
      await refused(kit, 'interactions:tools:computer-use', [
        withTool({ type: 'computer_use', environment: 'mobile' }),
      ]);
      await refused(kit, 'interactions:tools:file-search', [withTool({ type: 'file_search', stores: [] })]);
      await refused(kit, 'interactions:tools:mcp-server', [withTool({ type: 'mcp_server' })]);
      const headers = { 'x-secret': `Bearer ${kit.key('chat')}` };
      await refused(kit, 'interactions:tools:mcp-headers', [
        withTool({ type: 'mcp_server', url: 'https://tools.example.com/mcp', headers }),
      ]);
    },
  ),
  conformanceCase(
    'waits for a function of the client',
    {
      charges: 1,
      rules: [
        'interactions:requires-action:entered',
        'interactions:requires-action:request-record',
        'interactions:tools:function',
      ],
      needs: ['chat', 'directives', 'can:functions'],
    },
    async (kit) => {
      const { record, call } = await calling(kit);
      kit.fields('interactions:tools:function', call, { name: 'look' });
      kit.holds('interactions:requires-action:entered', record.at('charged_credits').number() > 0, 'no debit');
      const request = await kit.send({ path: `/requests/${record.at('id').text()}` });
      kit.fields('interactions:requires-action:request-record', request.json, { status: 'completed' });
    },
  ),
  conformanceCase(
    'goes on with the result of a function',
    {
      charges: 2,
      rules: [
        'interactions:requires-action:continuation',
        'interactions:requires-action:unchanged',
        'interactions:input:function-result-item',
        'interactions:previous:state',
      ],
      needs: ['chat', 'directives', 'can:functions'],
    },
    async (kit) => {
      const { record, call } = await calling(kit);
      const previous_interaction_id = record.at('id').text();
      const resultOf = (result: unknown): object => {
        const item = { type: 'function_result', call_id: call.at('id').value, name: 'look', result };
        return kit.body('chat', { input: [item], previous_interaction_id, tools: [look] });
      };
      kit.refused('interactions:input:function-result-item', await kit.send({ path, body: resultOf(7) }), 422);
      const next = await finished(kit, kit.rule, { path, body: resultOf({ seen: true }) });
      const isOwn = next.at('id').text() !== previous_interaction_id && next.at('charged_credits').number() > 0;
      kit.holds('interactions:requires-action:continuation', isOwn, 'it is no charged operation of its own');
      kit.fields('interactions:previous:state', next, { previous_interaction_id });
      kit.fields('interactions:input:function-result-item', next, { status: 'completed' });
      const old = await kit.send({ path: `${path}/${previous_interaction_id}` });
      kit.fields('interactions:requires-action:unchanged', old.json, { status: 'requires_action' });
    },
  ),
  conformanceCase(
    'wants the results of calls that are pending',
    {
      charges: 1,
      rules: [
        'interactions:function-result:needs-previous',
        'interactions:function-result:pending-call',
        'interactions:body:previous-state',
      ],
    },
    async (kit) => {
      const input = [{ type: 'function_result', call_id: 'never-made', result: 'x' }];
      await refused(kit, 'interactions:function-result:needs-previous', [{ input }]);
      const previous = (
        await finished(kit, 'interactions:function-result:pending-call', {
          path,
          body: kit.body('chat', { input: 'Hello' }),
        })
      )
        .at('id')
        .text();
      await refused(kit, 'interactions:function-result:pending-call', [{ input, previous_interaction_id: previous }]);
      const unknown = kit.body('chat', { input: 'And?', previous_interaction_id: unknownId });
      kit.refused('interactions:body:previous-state', await kit.send({ path, body: unknown }), 404, 'not_found');
    },
  ),
  conformanceCase(
    'continues what has completed, and nothing that still runs',
    {
      charges: 2,
      rules: ['interactions:previous:state', 'interactions:body:previous-state'],
      needs: ['chat', 'directives'],
    },
    async (kit) => {
      const slow = (
        await made(kit, 'interactions:body:previous-state', {
          path,
          body: kit.body('chat', { input: directed('slow 2500') }),
        })
      )
        .at('id')
        .text();
      const body = kit.body('chat', { input: 'And?', previous_interaction_id: slow });
      kit.refused('interactions:body:previous-state', await kit.send({ path, body }), 409);
      await ended(kit, 'interactions:previous:state', { path: `${path}/${slow}` });
      const next = await finished(kit, 'interactions:previous:state', { path, body });
      kit.same(
        'interactions:previous:state',
        [next.at('status').value, next.at('previous_interaction_id').value],
        ['completed', slow],
        'status and previous_interaction_id',
      );
    },
  ),
  conformanceCase(
    'works with an active environment of the project',
    { charges: 1, rules: ['interactions:environment-id:active'] },
    async (kit) => {
      const rule = 'interactions:environment-id:active';
      const environment_id = (await made(kit, rule, { path: '/environments', body: {} })).at('id').text();
      const body = kit.body('chat', { input: 'Hello', environment_id });
      await finished(kit, rule, { path, body });
      await kit.send({ method: 'DELETE', path: `/environments/${environment_id}` });
      kit.refused(rule, await kit.send({ path, body }), 404, 'not_found');
    },
  ),

  conformanceCase(
    'takes the tools that a model runs itself by their type alone',
    { charges: 2, rules: ['interactions:tools:built-in'], needs: ['chat', 'test-mode'] },
    async (kit) => {
      const { json } = await kit.send({ path: `/models/${kit.model('chat')}` });
      const capabilities = new Set(
        json
          .at('capabilities')
          .list()
          .map((one) => one.text()),
      );
      for (const type of ['code_execution', 'url_context', 'web_search'].filter((one) => capabilities.has(one))) {
        const record = await finished(kit, kit.rule, { path, body: kit.body('chat', withTool({ type })) });
        kit.fields('interactions:tools:built-in', record, { status: 'completed' });
      }
    },
  ),
];
