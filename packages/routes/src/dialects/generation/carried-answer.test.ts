import type { StoredStep } from '@tollgate/engine';
import { expect, test } from 'vitest';
import { carriedNote, endedAnswer, partsOfSteps, type CarriedAnswer } from './carried-answer.ts';

const seal = (context: string): string => `sealed ${context}`;

const called = { name: 'search_web', arguments: '{}' };
const search = { kind: 'tool_call', tool: 'web_search', id: 's', arguments: { query: 'q' }, called } as const;
const found = { kind: 'tool_result', tool: 'web_search', callId: 's', result: [] } as const;
const said: StoredStep = { kind: 'model_output', content: [{ kind: 'text', text: 'So.', context: 'c' }] };

test('what follows a call that has no result yet is not shown before it', () => {
  const asked: StoredStep = { kind: 'function_call', id: 'f', name: 'look', arguments: '{}', context: 'kept' };
  const before: readonly StoredStep[] = [said, search, asked];
  const first = partsOfSteps(before, seal);
  expect(first).toEqual([{ kind: 'text', text: 'So.', context: 'sealed c' }]);
  const all = partsOfSteps([...before, found], seal);
  expect(all.slice(0, first.length)).toEqual(first);
  expect(all.slice(first.length)).toEqual([
    { kind: 'tool_call', tool: 'web_search', id: 's', arguments: { query: 'q' }, result: [], isError: false },
    { kind: 'function_call', id: 'f', name: 'look', arguments: '{}' },
  ]);
});

test('a call that its provider ran needs no result, and a program has its two parts', () => {
  const { called: _called, ...native } = search;
  const code: StoredStep = { kind: 'tool_call', tool: 'code_execution', id: 'c', arguments: { code: '1' }, called };
  const printed: StoredStep = { kind: 'tool_result', tool: 'code_execution', callId: 'c', result: '1', isError: true };
  expect(partsOfSteps([native, code, printed], seal)).toEqual([
    { kind: 'tool_call', tool: 'web_search', id: 's', arguments: { query: 'q' }, result: null, isError: false },
    { kind: 'executable_code', id: 'c', language: 'PYTHON', code: '1' },
    { kind: 'code_execution_result', id: 'c', outcome: 'failed', output: '1' },
  ]);
});

test.each([
  ['completed', 'stop'],
  ['requires_action', 'stop'],
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
  ['cancelled', 'cancelled'],
] as const)('an interaction that is %s ends an answer as %s', (stage, finish) => {
  const head: CarriedAnswer['head'] = { id: 'a', model: 'm', createdAtMs: 0, echo: { a: 1 } };
  expect(endedAnswer({ head, stage, steps: [said] }, seal)).toMatchObject({ finish, echo: { a: 1 } });
});

test('what is kept with an interaction is JSON', () => {
  expect(carriedNote('d', { a: undefined, b: [1] })).toStrictEqual({ dialect: 'd', echo: { b: [1] } });
});
