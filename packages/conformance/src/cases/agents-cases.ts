import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { finished, made, remove } from './made-resource.ts';

export const agentsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'repeats what an agent is made of, with the model of its key',
    {
      rules: ['agents:body:fields', 'agents:record:echo', 'agents:model:key-model'],
      needs: ['chat', 'can:code_execution'],
    },
    async (kit) => {
      const body = { display_name: 'Clerk', system_instruction: 'Be brief.', tools: [{ type: 'code_execution' }] };
      const agent = await made(kit, 'agents:body:fields', { path: '/agents', body });
      kit.same(
        'agents:record:echo',
        [
          agent.at('display_name').value,
          agent.at('system_instruction').value,
          agent.at('tools').value,
          agent.at('result').value,
        ],
        ['Clerk', 'Be brief.', body.tools, null],
        'what it was made of, and result',
      );
      const other = await made(kit, 'agents:model:key-model', { path: '/agents', body: {} });
      kit.same(
        'agents:model:key-model',
        agent.at('model').value,
        other.at('model').value,
        'the model of two agents of one key',
      );
      for (const wrong of [
        { tools: { type: 'code_execution' } },
        { tools: [{ type: 'nope' }] },
        { display_name: 7 },
        { system_instruction: [] },
      ])
        kit.refused('agents:body:fields', await kit.send({ path: '/agents', body: wrong }), 422);
      for (const one of [agent, other]) await remove(kit, `/agents/${one.at('id').text()}`);
    },
  ),
  conformanceCase(
    'works with an active agent of the project, and with no deleted one',
    {
      charges: 1,
      rules: ['interactions:agent-id:active-same-model', 'interactions:record:fields'],
      needs: ['chat', 'bound'],
    },
    async (kit) => {
      const rule = 'interactions:agent-id:active-same-model';
      const agent_id = (await made(kit, rule, { path: '/agents', body: { system_instruction: 'Be brief.' } }))
        .at('id')
        .text();
      const record = await finished(kit, rule, {
        path: '/interactions',
        body: kit.body('chat', { input: 'Hello', agent_id }),
      });
      kit.same(
        'interactions:record:fields',
        [record.at('agent_id').value, record.at('previous_interaction_id').value, record.at('environment_id').value],
        [agent_id, null, null],
        'agent_id, previous_interaction_id and environment_id',
      );
      await remove(kit, `/agents/${agent_id}`);
      kit.refused(
        rule,
        await kit.send({ path: '/interactions', body: kit.body('chat', { input: 'Hello', agent_id }) }),
        404,
        'not_found',
      );
    },
  ),
];
