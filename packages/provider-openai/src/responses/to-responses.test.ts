import type { GenerationCall, Part } from '@tollgate/provider';
import { plainCall as call, settingRows } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import { cannotRespond } from './cannot-respond.ts';
import { toResponses } from './to-responses.ts';

const sent = { serviceTier: 'sent' } as const;
const bodyOf = (changed: GenerationCall) => toResponses(changed, { temperature: 'sent' });

const rows = settingRows({
  call: {
    operationId: { unseen: 'the upstream takes no id' },
    upstreamModel: 'carried',
    systemInstruction: 'carried',
    contents: 'carried',
    tools: 'carried',
    toolChoice: 'carried',
    responseFormat: 'carried',
    sampling: 'carried',
    outputTokensMax: 'carried',
    endUser: 'carried',
    thinking: 'carried',
    modalities: 'refused',
    image: 'refused',
    speech: 'refused',
    audioFormat: 'refused',
    transcription: { unseen: 'the instruction says the same in words' },
    mediaResolution: 'refused',
    safety: 'refused',
    cached: 'refused',
    promptCache: { unseen: 'a hint without effect on the answer' },
    serviceTier: 'carried',
  },
  sampling: {
    temperature: 'carried',
    topP: 'carried',
    topK: 'refused',
    seed: 'refused',
    stopSequences: 'refused',
    parallelToolCalls: 'carried',
    frequencyPenalty: 'refused',
    presencePenalty: 'refused',
  },
  thinking: { includeThoughts: 'carried', budgetTokens: 'carried', level: 'carried' },
  image: {
    aspectRatio: 'refused',
    size: 'refused',
    pixels: 'refused',
    count: 'refused',
    quality: 'refused',
    background: 'refused',
    format: 'refused',
  },
  builtInTools: { code_execution: 'carried', url_context: 'refused', web_search: 'carried' },
  webSearch: { allowedDomains: 'carried', blockedDomains: 'carried', usesMax: 'refused' },
});

test.each(rows)('$name is $fate', ({ fate, base, changed }) => {
  const refused = cannotRespond(changed, sent) !== undefined;
  const carried = !refused && JSON.stringify(bodyOf(changed)) !== JSON.stringify(bodyOf(base));
  expect({ refused, carried }).toEqual({ refused: fate === 'refused', carried: fate === 'carried' });
});

const sealed = (id: string): string => JSON.stringify({ reasoning_items: [[id, `sealed ${id}`]] });
const user = (...parts: readonly Part[]) => ({ role: 'user', parts }) as const;
const model = (...parts: readonly Part[]) => ({ role: 'model', parts }) as const;

test('sends a conversation as items, its reasoning once and before the calls that it led to', () => {
  const contents = [
    user({ kind: 'text', text: 'Compare.' }, { kind: 'media', mimeType: 'image/png', data: 'aGk=', detail: 'low' }),
    model(
      { kind: 'text', text: 'Hm.', thought: true },
      { kind: 'text', text: '', thought: true, context: sealed('rs_1') },
      { kind: 'text', text: 'I look.' },
      { kind: 'function_call', id: 'call_1', name: 'f', arguments: '{}', context: sealed('rs_1') },
      { kind: 'function_call', id: 'call_2', name: 'f', arguments: '{"a":1}' },
    ),
    user(
      { kind: 'text', text: 'Well?' },
      { kind: 'function_response', id: 'call_1', name: 'f', response: 'one' },
      { kind: 'function_response', id: 'call_2', name: 'f', response: 'two' },
    ),
  ];
  expect(bodyOf({ ...call, contents })['input']).toEqual([
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Compare.' },
        { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'low' },
      ],
    },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed rs_1' },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
    },
    { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
    { type: 'function_call', call_id: 'call_2', name: 'f', arguments: '{"a":1}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'one' },
    { type: 'function_call_output', call_id: 'call_2', output: 'two' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Well?' }] },
  ]);
});

test.each(['{"reasoning_content":"of chat"}', 'no JSON', '{"reasoning_items":[["rs_1"],7,null]}', '[]'])(
  'takes the context %j, which is not its own, for none',
  (context) => {
    const contents = [model({ kind: 'function_call', id: 'call_1', name: 'f', arguments: '{}', context })];
    expect(bodyOf({ ...call, contents })['input']).toEqual([
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
    ]);
  },
);

test('keeps nothing upstream, and asks for the sealed reasoning of every answer', () => {
  expect(bodyOf(call)).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
});

test('offers the tools that the upstream runs, and asks for the output of code', () => {
  const body = bodyOf({
    ...call,
    tools: [{ kind: 'web_search', allowedDomains: ['example.com'] }, { kind: 'code_execution' }],
  });
  expect(body['tools']).toEqual([
    { type: 'web_search', filters: { allowed_domains: ['example.com'] } },
    { type: 'code_interpreter', container: { type: 'auto' } },
  ]);
  expect(body['include']).toContain('code_interpreter_call.outputs');
});

test.each([
  [{ kind: 'required', names: ['f'] }, 'required'],
  [{ kind: 'validated', names: ['f'] }, 'auto'],
] as const)('carries the choice %j by names', (toolChoice, mode) => {
  expect(bodyOf({ ...call, toolChoice })['tool_choice']).toEqual({
    type: 'allowed_tools',
    mode,
    tools: [{ type: 'function', name: 'f' }],
  });
  expect(cannotRespond({ ...call, toolChoice: { ...toolChoice, names: ['g'] } }, sent)?.field).toBe('toolChoice');
});

test('takes a declaration for strict only where it says so', () => {
  expect(bodyOf(call)['tools']).toEqual([
    { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
  ]);
});

test.each<[string, Part]>([
  ['audio', { kind: 'media', mimeType: 'audio/wav', data: 'aGk=' }],
  ['video', { kind: 'media', mimeType: 'video/mp4', data: 'aGk=' }],
])('refuses %s by the name of its field', (_what, part) => {
  expect(cannotRespond({ ...call, contents: [user(part)] }, sent)?.field).toBe('contents');
});

test('tells code that ran earlier as text, because its container is gone', () => {
  const contents = [
    model(
      { kind: 'executable_code', language: 'PYTHON', code: 'print(1)' },
      { kind: 'code_execution_result', outcome: 'ok', output: '1' },
    ),
  ];
  const text = JSON.stringify(bodyOf({ ...call, contents })['input']);
  expect(text).toContain('```python\\nprint(1)\\n```');
  expect(text).toContain('```\\n1\\n```');
});

test('refuses a service tier where the host says that the upstream has none', () => {
  const flexible: GenerationCall = { ...call, serviceTier: 'flex' };
  expect(bodyOf(flexible)['service_tier']).toBe('flex');
  expect(cannotRespond(flexible, { serviceTier: 'refused' })?.field).toBe('serviceTier');
  expect(cannotRespond({ ...call, serviceTier: 'standard' }, { serviceTier: 'refused' })).toBeUndefined();
  expect(bodyOf({ ...call, serviceTier: 'standard' })['service_tier']).toBeUndefined();
});
