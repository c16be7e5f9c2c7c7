import { expect, test } from 'vitest';
import { parseAgentRequest } from './agent-request.ts';
import { mergeInteractionTools } from './check-interaction-tools.ts';

test('reads name, instruction and tools of an agent [agents:body:fields]', () => {
  const tools = [{ type: 'code_execution' }, { type: 'web_search' }];
  expect(parseAgentRequest({ display_name: 'Ada', system_instruction: 'Be brief.', tools })).toEqual({
    displayName: 'Ada',
    systemInstruction: 'Be brief.',
    tools,
  });
  expect(parseAgentRequest({})).toEqual({ displayName: null, systemInstruction: null, tools: [] });
});

test.each([
  [[], 'invalid_request'],
  [{ tools: {} }, 'invalid_request'],
  [{ tools: [{ type: 'nope' }] }, 'invalid_request'],
  [{ display_name: 5 }, 'invalid_request'],
  [{ system_instruction: [] }, 'invalid_request'],
  [{ model: 'flash-2.5' }, 'unsupported_parameter'],
])('refuses %j as an agent [agents:body:fields]', (body, code) => {
  expect(() => parseAgentRequest(body)).toThrow(expect.objectContaining({ code }));
});

test('takes an instruction of 64 KiB and none of a byte more, and says how many there were', () => {
  expect(parseAgentRequest({ system_instruction: 'é'.repeat(32_768) }).systemInstruction).toHaveLength(32_768);
  expect(() => parseAgentRequest({ system_instruction: 'é'.repeat(32_768) + 'a' })).toThrow(
    expect.objectContaining({
      code: 'input_limit',
      message: 'The field system_instruction has 65537 bytes; accepted are 0 to 65536 bytes.',
    }),
  );
});

test('what a request says of a tool stands over what its agent says', () => {
  expect(
    mergeInteractionTools(
      [{ type: 'web_search' }, { type: 'maps', latitude: 1, longitude: 2 }, { type: 'function', name: 'a' }],
      [
        { type: 'maps', latitude: 3, longitude: 4 },
        { type: 'function', name: 'b' },
      ],
    ),
  ).toEqual([
    { type: 'web_search' },
    { type: 'function', name: 'a' },
    { type: 'maps', latitude: 3, longitude: 4 },
    { type: 'function', name: 'b' },
  ]);
});
