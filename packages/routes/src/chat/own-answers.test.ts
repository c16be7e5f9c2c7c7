import { randomBytes } from 'node:crypto';
import { defaultCatalog, parseChatRequest, type ChatPolicy } from '@tollgate/contract';
import type { FunctionCallPart, Generation } from '@tollgate/provider';
import { array, assert, boolean, constantFrom, oneof, option, property, record, string, uniqueArray } from 'fast-check';
import { createTextSeal } from '@tollgate/engine';
import { expect, test } from 'vitest';
import { createContextSeal } from './context-seal.ts';
import { planAnswer } from './plan-answer.ts';
import { toGenerationCall } from './to-generation-call.ts';

const seed = 20_261_123;
const runs = 400 * Number(process.env['TEST_SCALE'] ?? '1');

const operation = {
  id: '01900000-0000-7000-8000-000000000001',
  projectId: '01900000-0000-7000-8000-000000000002',
  model: 'flash-3.8',
  createdAtMs: 1_700_000_000_000,
};
const seal = createContextSeal(createTextSeal(['secret'], 'context', randomBytes));
const strict: ChatPolicy = { openaiCompat: false, extraFields: [] };
const compat: ChatPolicy = { openaiCompat: true, extraFields: [] };

const texts = oneof(string({ unit: 'binary' }), constantFrom('', ' ', 'Hello', '{"a":1}'));
const callArguments = oneof(constantFrom('{}', '{"city":"Recife"}', '', '{"city', 'null', '[1]', '"x"'), string());

/** Ids and names as the conformance suite of providers demands them. */
const calls = uniqueArray(
  record({ id: string({ minLength: 1, maxLength: 512 }), name: string({ minLength: 1, maxLength: 128 }) }),
  { maxLength: 3, selector: ({ id }) => id },
).chain((named) =>
  array(record({ text: callArguments, context: option(string(), { nil: undefined }) }), {
    minLength: named.length,
    maxLength: named.length,
  }).map((rest) =>
    named.map(({ id, name }, index): FunctionCallPart => ({
      kind: 'function_call',
      id,
      name,
      arguments: rest[index]?.text ?? '',
      ...(rest[index]?.context === undefined ? {} : { context: rest[index].context }),
    })),
  ),
);

const generations = record({
  text: texts,
  functionCalls: calls,
  finish: constantFrom('stop', 'length', 'content_filter'),
  output: option(string(), { nil: null }),
}).map(({ output, ...rest }): Generation => ({
  ...rest,
  usage: [],
  ...(output === null ? {} : { parts: [{ kind: 'code_execution_result', outcome: 'ok', output }] }),
}));

interface OwnAnswer {
  readonly choices: readonly [{ readonly message: Record<string, unknown> }];
}

/** The message of an answer as a client has it: parsed from the text that was sent. */
const messageOf = (generation: Generation, legacyFunctions: boolean) => {
  const service = { contextSeal: seal, finishReasonWithTools: 'stop' } as const;
  const { body } = planAnswer(service, generation, operation, { legacyFunctions, reasoning: true, citations: true });
  return (JSON.parse(body) as OwnAnswer).choices[0].message;
};

const user = { role: 'user', content: 'And now?' } as const;

/** Reads a conversation that goes on from the message, as far as the call of the provider. */
const goOn = (message: Record<string, unknown>, policy: ChatPolicy) => {
  const chat = parseChatRequest({ messages: [user, message, user] }, policy);
  for (const read of chat.messages)
    if (read.role === 'assistant' && read.context !== undefined) seal.open(operation.projectId, read.context);
  const [model] = defaultCatalog;
  if (model === undefined) throw new Error('the catalog is empty');
  return toGenerationCall(chat, model, {
    contexts: new Map(),
    files: new Map(),
    images: { partOf: () => ({ kind: 'text', text: '' }) },
    openaiCompat: policy.openaiCompat,
  });
};

test('takes back every message that it can return, in both modes', () => {
  assert(
    property(generations, (generation) => {
      const message = messageOf(generation, false);
      for (const policy of [strict, compat]) {
        const { contents } = goOn(message, policy);
        for (const { parts } of contents) expect(parts.length).toBeGreaterThan(0);
      }
    }),
    { seed, numRuns: runs },
  );
});

test('takes back what clients make of it that drop what they do not know', () => {
  assert(
    property(generations, boolean(), (generation, legacyFunctions) => {
      const { context: _context, ...message } = messageOf(generation, legacyFunctions);
      const added = { refusal: null, annotations: [], audio: null, parsed: null, reasoning_content: '' };
      expect(() => goOn({ ...message, ...added }, compat)).not.toThrow();
      const { content, ...rest } = message;
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : [];
      expect(() => goOn({ ...rest, content: parts }, compat)).not.toThrow();
    }),
    { seed, numRuns: runs },
  );
});

const said = (text: string, finish: Generation['finish'] = 'stop') =>
  messageOf({ text, functionCalls: [], finish, usage: [] }, false);

test('seals a message that says nothing, so that it is known again, and no other', () => {
  expect(said('Hello')).toEqual({ role: 'assistant', content: 'Hello' });
  expect(said('')).toEqual({ role: 'assistant', content: '', context: expect.any(String) });
  expect(said('Hello', 'content_filter')).toEqual({ role: 'assistant', content: null, context: expect.any(String) });
});

const call = (id: string): FunctionCallPart => ({ kind: 'function_call', id, name: 'f', arguments: '{}' });

test('tells a call in the older form where functions were declared so, and all of them where there are more', () => {
  const one = messageOf({ text: '', functionCalls: [call('a')], finish: 'stop', usage: [] }, true);
  expect(one).toEqual({ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } });
  const functionCalls = [call('a'), call('b')];
  const two = messageOf({ text: '', functionCalls, finish: 'stop', usage: [] }, true);
  expect(two).toMatchObject({ function_call: { name: 'f' }, tool_calls: [{ id: 'a' }, { id: 'b' }] });
});
