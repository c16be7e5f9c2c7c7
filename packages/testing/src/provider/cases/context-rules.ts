import assert from 'node:assert/strict';
import type { Content, FunctionCallPart, JsonObject } from '@tollgate/provider';
import { answerOf, weatherTool } from '../provider-run.ts';
import type { ProviderUnderTest } from '../provider-under-test.ts';
import type { AnswerRule } from './answer-rule.ts';

const forgedName = 'forged_member';

/** What a client may want to smuggle into the request, at the top of it and elsewhere. */
const forgedMembers: JsonObject = {
  [forgedName]: true,
  model: 'forged-model',
  max_tokens: 9,
  tools: [{ [forgedName]: true }],
  headers: { [forgedName]: 'true' },
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value with the forged members in each of its objects. */
const smuggled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(smuggled);
  if (!isObject(value)) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, member]) => [name, smuggled(member)])),
    ...forgedMembers,
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const levels = 5_000;

/** Contexts that no upstream gave: texts, broken and deep JSON, and the provider's own with members added. */
const forgedContexts = (calls: readonly FunctionCallPart[]): readonly string[] => {
  const own = calls.map(({ context }) => parse(context ?? '')).filter((value) => value !== undefined);
  return [
    'a state that no upstream gave',
    '{"kind":',
    '['.repeat(levels) + ']'.repeat(levels),
    JSON.stringify(forgedMembers),
    ...own.map((value) => JSON.stringify(smuggled(value))),
  ];
};

/** The turns of a tool loop, with the forged context in each place, or the true ones. */
const turnsOf = (calls: readonly FunctionCallPart[], context: string | undefined): readonly Content[] => [
  { role: 'user', parts: [{ kind: 'text', text: 'What is the weather in Lisbon and Porto?' }] },
  {
    role: 'model',
    parts: [
      { kind: 'text', text: 'Two cities.', thought: true, context: context ?? '' },
      ...calls.map((call) => ({ ...call, context: context ?? call.context ?? '' })),
    ],
  },
  {
    role: 'user',
    parts: calls.map(({ id, name }) => ({ kind: 'function_response', id, name, response: '{"c":21}' })),
  },
];

const isForged = (value: JsonObject): boolean => forgedName in value || value['model'] === forgedMembers['model'];

/** The objects within the contexts, as texts: where one stands in a request, it stands in its own place. */
const opaqueOf = (value: unknown, isTop = true): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => opaqueOf(each, false));
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap((member) => opaqueOf(member, false));
  return isTop ? inner : [JSON.stringify(value), ...inner];
};

/** Whether a forged member stands elsewhere than in a text, and in an object that the true context had in that place. */
const isSmuggled = (body: unknown, genuine: unknown, opaque: ReadonlySet<string>): boolean => {
  if (Array.isArray(body)) {
    const others = Array.isArray(genuine) ? genuine : [];
    return body.some((value, index) => isSmuggled(value, others[index], opaque));
  }
  if (!isObject(body) || opaque.has(JSON.stringify(genuine))) return false;
  const others = isObject(genuine) ? genuine : {};
  return isForged(body) || Object.entries(body).some(([name, value]) => isSmuggled(value, others[name], opaque));
};

const bodyOf = async (underTest: ProviderUnderTest): Promise<unknown> => {
  const sent = await underTest.sentBody();
  return parse(sent.slice(Math.max(0, sent.indexOf('{'))));
};

export const contextRules: readonly AnswerRule[] = [
  {
    title: 'takes no forged context for a reason to fail, nor puts what it says into the request',
    promise: 'P8',
    run: async (underTest, ask) => {
      const tools = [weatherTool];
      const { functionCalls } = answerOf(await ask(underTest, 'function_call', { call: { tools } }));
      const bodyWith = async (contents: readonly Content[]): Promise<unknown> => {
        answerOf(await ask(underTest, 'function_result', { call: { tools, contents } }));
        return bodyOf(underTest);
      };
      const genuine = await bodyWith(turnsOf(functionCalls, undefined));
      const opaque = new Set(functionCalls.flatMap(({ context }) => opaqueOf(parse(context ?? ''))));
      for (const context of forgedContexts(functionCalls)) {
        const body = await bodyWith(turnsOf(functionCalls, context));
        assert.ok(isObject(body), 'what the upstream was sent is no JSON');
        assert.ok(!isSmuggled(body, genuine, opaque), 'a context is spread into the request');
      }
    },
  },
];
