import { describe, expect, test } from 'vitest';
import { compatPolicy, parseCompat, parseStrict, refusalOf, user } from '../../test/chat-calls.ts';
import { parseChatRequest } from './chat-request.ts';

const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Recife"}' } };
const text = (value: string, hints: object = {}) => ({ type: 'text', text: value, ...hints });

const second = (message: unknown): unknown => parseCompat({ messages: [user, message] }).messages[1];
const refusal = (message: unknown) => refusalOf({ messages: [user, message] }, compatPolicy);

const called = (city: string) => ({
  role: 'assistant',
  content: null,
  function_call: { name: 'weather', arguments: city },
});
const result = (content: string | null) => ({ role: 'function', name: 'weather', content });
const toolCall = (id: string, city: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'weather', arguments: city } }],
});

describe('with the compatibility option [chat:compat:openai]', () => {
  test.each([
    [
      { role: 'system', content: [text('One.'), text('Two.')] },
      { role: 'system', content: 'One.\nTwo.' },
    ],
    [
      { role: 'developer', content: 'Be brief.' },
      { role: 'system', content: 'Be brief.' },
    ],
    [
      { role: 'developer', content: [text('Be brief.', { cache_control: { type: 'ephemeral' } })] },
      { role: 'system', content: 'Be brief.' },
    ],
    [
      { role: 'assistant', content: [text('Good '), text('morning.', { role: 'assistant' })] },
      { role: 'assistant', content: 'Good morning.' },
    ],
    [
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'I would rather not.' }] },
      { role: 'assistant', content: 'I would rather not.' },
    ],
    [
      { role: 'assistant', content: null, refusal: 'I would rather not.' },
      { role: 'assistant', content: 'I would rather not.' },
    ],
    [
      { role: 'assistant', content: 'Hi.', refusal: '' },
      { role: 'assistant', content: 'Hi.' },
    ],
    [
      { role: 'tool', tool_call_id: 'c1', content: [text('Sunny'), text(''), text('24')] },
      { role: 'tool', tool_call_id: 'c1', content: 'Sunny\n\n24' },
    ],
    [
      { role: 'tool', tool_call_id: 'c1', content: [] },
      { role: 'tool', tool_call_id: 'c1', content: '' },
    ],
    [
      { role: 'user', content: [text('Hello', { role: 'user', cache_control: {} })] },
      { role: 'user', content: [text('Hello')] },
    ],
    [
      { role: 'user', content: 'Hello', name: '' },
      { role: 'user', content: 'Hello' },
    ],
  ])('reads %j', (message, expected) => {
    expect(second(message)).toEqual(expected);
    expect(refusalOf({ messages: [user, message] }).status).toBe(422);
  });

  test.each(['reasoning', 'reasoning_content', 'reasoning_text', 'reasoning_details'])(
    'drops %s of a message that is sent back: an upstream that wants its own has it elsewhere',
    (field) => {
      const value = field === 'reasoning_details' ? [{ type: 'reasoning.text', text: 'Hm.' }] : 'Hm.';
      for (const member of [value, null])
        expect(second({ role: 'assistant', content: 'Hi.', [field]: member })).toEqual({
          role: 'assistant',
          content: 'Hi.',
        });
    },
  );

  test('takes an assistant message that says nothing, in every form of it', () => {
    for (const content of [{ content: null }, {}, { content: '' }, { content: [] }, { content: [text('')] }])
      expect(second({ role: 'assistant', ...content })).toEqual({ role: 'assistant', content: null });
  });

  test('takes arguments of a call as the model wrote them', () => {
    for (const broken of ['{"city', '', 'Recife']) {
      const tool_calls = [{ ...call, function: { name: 'weather', arguments: broken } }];
      expect(second({ role: 'assistant', content: null, tool_calls })).toEqual({
        role: 'assistant',
        content: null,
        tool_calls,
      });
    }
  });

  test('reads calls and results of the older form, each result to the last call of its name', () => {
    const { messages } = parseCompat({
      messages: [user, called('1'), result('dry'), called('2'), result(null), { ...user, content: 'So?' }],
    });
    expect(messages).toEqual([
      user,
      toolCall('function_call_1', '1'),
      { role: 'tool', tool_call_id: 'function_call_1', content: 'dry' },
      toolCall('function_call_3', '2'),
      { role: 'tool', tool_call_id: 'function_call_3', content: '' },
      { ...user, content: 'So?' },
    ]);
    expect(refusal(result('dry'))).toMatchObject({
      code: 'invalid_messages',
      message: expect.stringContaining('messages[1]'),
    });
  });

  test('takes a call once that is written in both forms', () => {
    const message = { role: 'assistant', content: null, function_call: call.function, tool_calls: [call] };
    expect(second(message)).toEqual({ role: 'assistant', content: null, tool_calls: [call] });
  });

  test.each([
    [{ role: 'system', content: [text('')] }, 'empty_message'],
    [{ role: 'system', content: [] }, 'empty_message'],
    [{ role: 'developer', content: '' }, 'empty_message'],
    [{ role: 'user', content: [text('')] }, 'empty_message'],
    [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }, 'unsupported_content'],
    [{ role: 'assistant', content: [{ type: 'image_url', image_url: { url: 'x' } }] }, 'unsupported_content'],
    [{ role: 'tool', tool_call_id: 'c1', content: [{ type: 'image_url' }] }, 'unsupported_content'],
    [{ role: 'assistant', content: 'x', reasoning_content: 5 }, 'invalid_messages'],
    [{ role: 'function', name: 'weather', content: [] }, 'unsupported_content'],
    [{ role: 'assistant', content: 'x', audio: { id: 'a' } }, 'invalid_messages'],
  ])('refuses %j as %s', (message, code) => {
    expect(refusal(message)).toMatchObject({ code, message: expect.stringContaining('messages[1]') });
  });
});

const asked = (address: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: address, detail: 'low' } }] }],
});

describe('images by address', () => {
  const url = 'https://example.com/a.png';
  test('are kept as addresses where the host fetches them', () => {
    const { messages } = parseChatRequest(asked(url), { ...compatPolicy, remoteImages: true });
    const place = 'messages[0].content[0].image_url.url';
    expect(messages[0]?.content).toEqual([{ type: 'remote_image', url, place, detail: 'low' }]);
  });

  test('are refused by name otherwise, with what is accepted', () => {
    for (const policy of [compatPolicy, { openaiCompat: false, extraFields: [], remoteImages: true }]) {
      const { messages: _messages, ...plain } = asked(url);
      const body = { ...plain, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] };
      expect(refusalOf(body, policy)).toMatchObject({
        code: 'invalid_image',
        message: expect.stringMatching(/messages\[0\]\.content\[0\]\.image_url\.url .*data URL/),
      });
    }
  });

  test('are refused where they cannot be read, or are too long', () => {
    const policy = { ...compatPolicy, remoteImages: true };
    for (const address of ['https://', `https://example.com/${'a'.repeat(2_048)}`])
      expect(refusalOf(asked(address), policy).code).toBe('invalid_image');
  });
});

test('takes back what the service itself returned, which its context says, in the strict mode too', () => {
  const ours = { role: 'assistant', content: null, context: 'sealed' };
  expect(parseStrict({ messages: [user, ours, user] }).messages[1]).toEqual(ours);
  expect(refusalOf({ messages: [user, { role: 'assistant', content: null }] }).code).toBe('empty_message');
  const broken = { ...call, function: { name: 'weather', arguments: '{"city' } };
  const calling = { ...ours, tool_calls: [broken] };
  expect(parseStrict({ messages: [user, calling] }).messages[1]).toEqual(calling);
});
