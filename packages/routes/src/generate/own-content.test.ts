import { parseGenerateRequest } from '@tollgate/contract';
import type { Generation, Part } from '@tollgate/provider';
import { array, assert, constantFrom, jsonValue, oneof, option, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { planContent } from './plan-content.ts';
import { toContents } from './to-contents.ts';

const seed = 20_261_123;
const runs = 400 * Number(process.env['TEST_SCALE'] ?? '1');

// What is checked of an operation when its answer is written.
const operation = { id: '01900000-0000-7000-8000-000000000001', model: 'flash-3.8' } as Parameters<
  typeof planContent
>[1];

const modifiers = record({
  context: option(string({ unit: 'grapheme', maxLength: 20 }), { nil: undefined }),
  thought: option(constantFrom(true as const), { nil: undefined }),
}).map(({ context, thought }) => ({
  ...(context === undefined ? {} : { context }),
  ...(thought === undefined ? {} : { thought }),
}));

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const media = constantFrom(
  { mimeType: 'image/png', data: png },
  { mimeType: 'audio/L16;rate=24000', data: 'AAAA' },
  { mimeType: 'audio/L16;codec=pcm;rate=24000', data: '' },
  { mimeType: 'audio/pcm', data: 'AAAA' },
);

const contentParts = oneof(
  record({ kind: constantFrom('text' as const), text: oneof(string(), constantFrom('')) }),
  media.map((bytes) => ({ kind: 'media' as const, ...bytes })),
  record({
    kind: constantFrom('function_call' as const),
    id: string({ minLength: 1, maxLength: 512 }),
    name: string({ minLength: 1, maxLength: 128 }),
    arguments: oneof(
      constantFrom('{}', '{"a":[1]}', '{"a', ''),
      jsonValue({ maxDepth: 3 }).map((v) => JSON.stringify(v)),
    ),
  }),
  record({ kind: constantFrom('executable_code' as const), language: constantFrom('PYTHON'), code: string() }),
  record({
    kind: constantFrom('code_execution_result' as const),
    outcome: constantFrom('ok' as const, 'failed' as const, 'deadline_exceeded' as const),
    output: string(),
  }),
);

const parts = array(
  record({ part: contentParts, modifiers }).map(({ part, modifiers: more }): Part => ({ ...part, ...more })),
  { maxLength: 4 },
);

interface OwnContent {
  readonly candidates: readonly [{ readonly content: unknown }];
}

const contentOf = (answered: readonly Part[], finish: Generation['finish']): unknown => {
  const { body } = planContent({ text: '', functionCalls: [], finish, usage: [], parts: answered }, operation);
  return (JSON.parse(body) as OwnContent).candidates[0].content;
};

const user = { role: 'user', parts: [{ text: 'And now?' }] };

const goOn = (content: unknown, googleCompat: boolean) => {
  const { contents } = parseGenerateRequest({ contents: [user, content, user] }, { googleCompat, snakeCase: false });
  return toContents(contents, new Map());
};

const finishes = constantFrom<Generation['finish'][]>('stop', 'length', 'content_filter');

test('takes back every content that it can return, with the compatibility option', () => {
  assert(
    property(parts, finishes, (answered, finish) => {
      for (const turn of goOn(contentOf(answered, finish), true)) expect(turn.parts.length).toBeGreaterThan(0);
    }),
    { seed, numRuns: runs },
  );
});

test('takes back every content without code in the strict mode too, whose contract takes no code in a request', () => {
  assert(
    property(parts, finishes, (answered, finish) => {
      const plain = answered.filter(({ kind }) => kind !== 'executable_code' && kind !== 'code_execution_result');
      expect(() => goOn(contentOf(plain, finish), false)).not.toThrow();
    }),
    { seed, numRuns: runs },
  );
});

test('takes samples without a container from the model alone', () => {
  const inlineData = { mimeType: 'audio/L16;rate=24000', data: 'AAAA' };
  const said = { role: 'user', parts: [{ inlineData }] };
  expect(() => goOn(said, true)).toThrow(expect.objectContaining({ code: 'unsupported_content' }));
  const broken = { role: 'model', parts: [{ inlineData: { ...inlineData, data: 'A' } }] };
  expect(() => goOn(broken, true)).toThrow(expect.objectContaining({ code: 'unsupported_content' }));
});
