import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { chatsRefused, chatsTaken } from './ask-each.ts';
import { afterHello, hello, say } from './bodies.ts';
import { user, many } from './chat-request-ask.ts';

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };

const result = { role: 'tool', tool_call_id: 'c1', content: 'seen' };

export const chatRequestCases: readonly ConformanceCase[] = [
  conformanceCase('takes 1 to 100 messages', { charges: 2, rules: ['chat:messages:count'] }, async (kit) => {
    await chatsTaken(kit, 'chat:messages:count', [many(1), many(100)]);
    await chatsRefused(kit, 'chat:messages:count', 'invalid_messages', [
      {},
      { messages: 'Hello' },
      { messages: null },
      { messages: user },
      many(0),
    ]);
  }),
  conformanceCase(
    'takes no 101 messages',
    { rules: ['chat:messages:count'], needs: ['chat', 'strict'] },
    async (kit) => {
      await chatsRefused(kit, 'chat:messages:count', 'invalid_messages', [many(101)]);
    },
  ),
  conformanceCase('needs a message of a user', { rules: ['chat:messages:missing-user'] }, async (kit) => {
    await chatsRefused(kit, 'chat:messages:missing-user', 'missing_user_message', [
      { messages: [{ role: 'system', content: 'Be brief.' }] },
      { messages: [{ role: 'assistant', content: 'Hello.' }] },
    ]);
  }),
  conformanceCase('knows four roles', { charges: 1, rules: ['chat:messages:role'] }, async (kit) => {
    const all = [
      { role: 'system', content: 'Be brief.' },
      user,
      { role: 'assistant', content: null, tool_calls: [call] },
      result,
    ];
    await chatsTaken(kit, 'chat:messages:role', [{ messages: all }]);
    await chatsRefused(
      kit,
      'chat:messages:role',
      'invalid_role',
      ['robot', 'User', '', 7].map((role) => afterHello({ role, content: 'x' })),
    );
  }),
  conformanceCase(
    'does not know the roles of other interfaces',
    { rules: ['chat:messages:role'], needs: ['chat', 'strict'] },
    async (kit) => {
      await chatsRefused(
        kit,
        'chat:messages:role',
        'invalid_role',
        ['developer', 'function'].map((role) => afterHello({ role, content: 'x' })),
      );
    },
  ),
  conformanceCase('refuses empty messages', { rules: ['chat:message:empty'] }, async (kit) => {
    await chatsRefused(kit, 'chat:message:empty', 'empty_message', [
      { messages: [{ role: 'system', content: '' }, user] },
      say(''),
      say([]),
    ]);
  }),
  conformanceCase(
    'wants text of an assistant, or null beside tool calls',
    { charges: 4, rules: ['chat:message:assistant-content', 'chat:message:assistant-empty-forms'] },
    async (kit) => {
      await chatsTaken(kit, 'chat:message:assistant-content', [
        afterHello({ role: 'assistant', content: 'Hello.' }, user),
      ]);
      await chatsTaken(
        kit,
        'chat:message:assistant-empty-forms',
        [{ content: null }, {}, { content: '' }].map((form) =>
          afterHello({ role: 'assistant', ...form, tool_calls: [call] }, result),
        ),
      );
    },
  ),
  conformanceCase(
    'refuses an assistant that says and calls nothing',
    { rules: ['chat:message:assistant-content', 'chat:message:assistant-empty-forms'], needs: ['chat', 'strict'] },
    async (kit) => {
      for (const rule of ['chat:message:assistant-content', 'chat:message:assistant-empty-forms'] as const)
        await chatsRefused(kit, rule, 'empty_message', [afterHello({ role: 'assistant', content: null })]);
    },
  ),
  conformanceCase(
    'wants tool calls with an id and arguments as JSON text',
    { charges: 1, rules: ['chat:message:tool-calls-shape', 'chat:message:tool-result'] },
    async (kit) => {
      const bad = [
        { ...call, id: undefined },
        { ...call, function: { name: 'look', arguments: {} } },
        { ...call, type: 'other' },
        { ...call, function: { arguments: '{}' } },
      ];
      for (const one of bad) {
        const answer = await kit.chat(afterHello({ role: 'assistant', content: null, tool_calls: [one] }, result));
        kit.refused('chat:message:tool-calls-shape', answer, 422, 'invalid_messages');
      }
      const asked = { role: 'assistant', content: null, tool_calls: [call] };
      await chatsTaken(kit, 'chat:message:tool-result', [afterHello(asked, { ...result, content: '{"seen":true}' })]);
      await chatsRefused(kit, 'chat:message:tool-result', 'invalid_messages', [
        afterHello(asked, { role: 'tool', content: 'seen' }),
      ]);
    },
  ),
  conformanceCase(
    'refuses fields outside the contract and names them',
    { rules: ['chat:request:unsupported-field', 'errors:code:unsupported-parameter'] },
    async (kit) => {
      for (const field of ['no_such_field', 'conversation_id', 'contents', 'input']) {
        const answer = await kit.chat({ ...hello, [field]: 1 });
        kit.refused('chat:request:unsupported-field', answer, 422, 'unsupported_parameter');
        kit.holds(
          'chat:request:unsupported-field',
          answer.json.at('error', 'message').text().includes(field),
          `the message does not name ${field}`,
        );
        kit.refused('errors:code:unsupported-parameter', answer, 422, 'unsupported_parameter');
      }
    },
  ),
  conformanceCase(
    'refuses the fields of other interfaces',
    { rules: ['chat:request:unsupported-field', 'chat:compat:openai'], needs: ['chat', 'strict'] },
    async (kit) => {
      for (const field of ['max_tokens', 'top_p', 'user', 'n']) {
        kit.refused(
          'chat:request:unsupported-field',
          await kit.chat({ ...hello, [field]: 1 }),
          422,
          'unsupported_parameter',
        );
        kit.refused('chat:compat:openai', await kit.chat({ ...hello, [field]: 1 }), 422, 'unsupported_parameter');
      }
    },
  ),
];
