import type { Content } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { toConversationSteps } from './carried-steps.ts';

async function* noBytes(): AsyncGenerator<Uint8Array, void> {}

test('a conversation becomes steps, with what each part says beside its content', () => {
  const contents: readonly Content[] = [
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'See' },
        { kind: 'media', mimeType: 'image/png', data: 'AAAA', detail: 'low' },
        { kind: 'blob', mimeType: 'application/pdf', sizeBytes: 3, blobKey: 'key', filename: 'a.pdf', read: noBytes },
      ],
    },
    {
      role: 'model',
      parts: [
        { kind: 'text', text: 'Hm', thought: true, context: 'state' },
        { kind: 'text', text: 'I look.' },
        { kind: 'function_call', id: 'a', name: 'look', arguments: '{}', context: 'of the call' },
        { kind: 'executable_code', language: 'PYTHON', code: '1' },
        { kind: 'code_execution_result', outcome: 'failed', output: 'no' },
      ],
    },
    { role: 'user', parts: [{ kind: 'function_response', id: 'a', name: 'look', response: 'seen' }] },
  ];
  expect(toConversationSteps(contents)).toEqual([
    {
      kind: 'user_input',
      content: [
        { kind: 'text', text: 'See' },
        { kind: 'given', media: { kind: 'inline', mimeType: 'image/png', data: 'AAAA' }, about: { detail: 'low' } },
        {
          kind: 'given',
          media: { kind: 'blob', mimeType: 'application/pdf', sizeBytes: 3, blobKey: 'key' },
          about: { filename: 'a.pdf' },
        },
      ],
    },
    { kind: 'thought', summary: 'Hm', context: 'state' },
    { kind: 'model_output', content: [{ kind: 'text', text: 'I look.' }] },
    { kind: 'function_call', id: 'a', name: 'look', arguments: '{}', context: 'of the call' },
    { kind: 'tool_call', tool: 'code_execution', id: 'code_1', arguments: { language: 'python', code: '1' } },
    { kind: 'tool_result', tool: 'code_execution', callId: 'code_1', result: 'no', isError: true },
    { kind: 'function_result', callId: 'a', name: 'look', result: 'seen' },
  ]);
});

test('a medium that lies nowhere cannot wait for a worker', () => {
  const part = { kind: 'blob', mimeType: 'image/png', sizeBytes: 3, read: noBytes } as const;
  expect(() => toConversationSteps([{ role: 'user', parts: [part] }])).toThrow(/kept for a worker/);
});
