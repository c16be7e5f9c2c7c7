import { expect, test } from 'vitest';
import { parseCompat, parseStrict, refusalOf, user } from '../../test/chat-calls.ts';

const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Recife"}' } };
const withMessage = (message: unknown): unknown => ({ messages: [user, message] });
const second = (body: unknown): unknown => parseStrict(body).messages[1];

test('takes 1 and 100 messages and refuses any other list [chat:messages:count]', () => {
  for (const count of [1, 100]) {
    expect(parseStrict({ messages: Array.from({ length: count }, () => user) }).messages).toHaveLength(count);
  }
  const refused = [{}, { messages: [] }, { messages: user }, { messages: null }, { messages: 'Hello' }];
  for (const body of [...refused, { messages: Array.from({ length: 101 }, () => user) }]) {
    expect(refusalOf(body)).toMatchObject({ status: 422, code: 'invalid_messages' });
  }
});

test('refuses a list without a user message [chat:messages:missing-user]', () => {
  const system = { role: 'system', content: 'Be brief.' };
  expect(refusalOf({ messages: [system] })).toMatchObject({ status: 422, code: 'missing_user_message' });
  expect(parseStrict({ messages: [system, user] }).messages).toHaveLength(2);
});

test.each(['robot', 'developer', 'function', 'User', '', null, 1, undefined])(
  'refuses the role %j [chat:messages:role]',
  (role) => {
    expect(refusalOf(withMessage({ role, content: 'x' }))).toMatchObject({
      status: 422,
      code: 'invalid_role',
      message: expect.stringContaining('messages[1].role'),
    });
  },
);

test.each([5, null, 'Hello', [], true])('refuses the message %j', (message) => {
  expect(refusalOf(withMessage(message)).code).toMatch(/^invalid_(?:messages|role)$/);
});

test('keeps system messages in the order sent [chat:message:system-merged]', () => {
  const messages = [{ role: 'system', content: 'One.' }, user, { role: 'system', content: 'Two.' }];
  expect(parseStrict({ messages }).messages).toEqual(messages);
});

test.each(['system', 'user', 'assistant'])('refuses empty text from %s [chat:message:empty]', (role) => {
  for (const content of ['', null, undefined]) {
    expect(refusalOf(withMessage({ role, content }))).toMatchObject({ status: 422, code: 'empty_message' });
  }
});

test('refuses an empty list of parts and an empty text part [chat:message:empty]', () => {
  expect(refusalOf(withMessage({ role: 'user', content: [] })).code).toBe('empty_message');
  const refusal = refusalOf(withMessage({ role: 'user', content: [{ type: 'text', text: '' }] }));
  expect(refusal).toMatchObject({ code: 'empty_message', message: expect.stringContaining('[1].content[0].text') });
});

test('takes assistant text, and null content with tool calls [chat:message:assistant-content]', () => {
  expect(second(withMessage({ role: 'assistant', content: 'Hi.' }))).toEqual({ role: 'assistant', content: 'Hi.' });
  const calling = { role: 'assistant', content: null, tool_calls: [call] };
  expect(second(withMessage(calling))).toEqual(calling);
  expect(refusalOf(withMessage({ role: 'assistant', content: null })).status).toBe(422);
});

test('reads null, absent and empty assistant content alike when tools are called [chat:message:assistant-empty-forms]', () => {
  const expected = { role: 'assistant', content: null, tool_calls: [call] };
  for (const content of [{ content: null }, {}, { content: '' }]) {
    expect(second(withMessage({ role: 'assistant', tool_calls: [call], ...content }))).toEqual(expected);
    expect(refusalOf(withMessage({ role: 'assistant', ...content })).code).toBe('empty_message');
  }
});

test('keeps several tool calls and their text [chat:message:tool-calls-shape]', () => {
  const message = { role: 'assistant', content: 'Looking.', tool_calls: [call, { ...call, id: 'c2' }] };
  expect(second(withMessage(message))).toEqual(message);
});

test.each([
  ['no list', call],
  ['an empty list', []],
  ['a missing id', [{ ...call, id: undefined }]],
  ['an empty id', [{ ...call, id: '' }]],
  ['another type', [{ ...call, type: 'custom' }]],
  ['no name', [{ ...call, function: { arguments: '{}' } }]],
  ['object arguments', [{ ...call, function: { name: 'weather', arguments: {} } }]],
  ['arguments that are no JSON', [{ ...call, function: { name: 'weather', arguments: '{city' } }]],
  ['empty arguments', [{ ...call, function: { name: 'weather', arguments: '' } }]],
])('refuses tool calls with %s [chat:message:tool-calls-shape]', (_, calls) => {
  expect(refusalOf(withMessage({ role: 'assistant', content: null, tool_calls: calls }))).toMatchObject({
    status: 422,
    code: 'invalid_messages',
  });
});

test('refuses arguments nested too deeply to be written again', () => {
  const deep = { ...call, function: { name: 'f', arguments: '['.repeat(100_000) + ']'.repeat(100_000) } };
  expect(refusalOf(withMessage({ role: 'assistant', tool_calls: [deep] })).code).toBe('invalid_messages');
});

test('takes a tool result with its call id and refuses one without [chat:message:tool-result]', () => {
  const result = { role: 'tool', tool_call_id: 'c1', content: '{"celsius":28}' };
  expect(second(withMessage(result))).toEqual(result);
  expect(second(withMessage({ ...result, content: '' }))).toEqual({ ...result, content: '' });
  for (const broken of [
    { ...result, tool_call_id: undefined },
    { ...result, content: { celsius: 28 } },
  ]) {
    expect(refusalOf(withMessage(broken))).toMatchObject({ status: 422, code: 'invalid_messages' });
  }
});

test('keeps context unchanged in both modes and refuses more than 64 KB [chat:message:context-return] [chat:message:context-sealed]', () => {
  const message = { role: 'assistant', content: 'Hi.', context: 'c'.repeat(65_536) };
  expect(parseStrict(withMessage(message)).messages[1]).toEqual(message);
  expect(parseCompat(withMessage(message)).messages[1]).toEqual(message);
  for (const context of ['c'.repeat(65_537), 5, null, {}]) {
    expect(refusalOf(withMessage({ ...message, context })).code).toBe('invalid_messages');
  }
});

test('refuses a list of parts where only text is taken', () => {
  for (const role of ['system', 'assistant']) {
    const refusal = refusalOf(withMessage({ role, content: [{ type: 'text', text: 'x' }] }));
    expect(refusal.code).toBe('unsupported_content');
  }
});

test.each([5, true, { text: 'x' }])('refuses the user content %j', (content) => {
  expect(refusalOf(withMessage({ role: 'user', content })).code).toBe('invalid_messages');
});

test('names an unknown field of a message', () => {
  expect(refusalOf(withMessage({ role: 'user', content: 'x', weight: 1 }))).toMatchObject({
    code: 'unsupported_parameter',
    message: expect.stringContaining('messages[1].weight'),
  });
});

test('reports the first faulty message', () => {
  const messages = [user, { role: 'user', content: '' }, { role: 'robot' }];
  expect(refusalOf({ messages })).toMatchObject({ code: 'empty_message', message: expect.stringContaining('[1]') });
});

test('keeps names and drops what client libraries send back, with the compatibility option only [chat:compat:openai]', () => {
  const resent = { refusal: null, annotations: [], audio: null, function_call: null, parsed: { a: 1 } };
  const parsedCall = { ...call, function: { ...call.function, parsed_arguments: { city: 'Recife' } } };
  const messages = [
    { ...user, name: 'ana' },
    { role: 'assistant', content: '', name: 'bot', tool_calls: [parsedCall], ...resent },
    { role: 'tool', tool_call_id: 'c1', content: 'x', name: 'weather' },
    { role: 'assistant', content: 'Hi.', tool_calls: [] },
  ];
  expect(parseCompat({ messages }).messages).toEqual([
    { ...user, name: 'ana' },
    { role: 'assistant', content: null, name: 'bot', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'x', name: 'weather' },
    { role: 'assistant', content: 'Hi.' },
  ]);
  for (const field of Object.keys(resent)) {
    const message = { role: 'assistant', content: 'x', [field]: null };
    expect(refusalOf(withMessage(message)), field).toMatchObject({
      code: 'unsupported_parameter',
      message: expect.stringContaining(field),
    });
  }
  expect(refusalOf(withMessage({ ...user, name: 'ana' })).code).toBe('unsupported_parameter');
});
