import { defaultCatalog } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { chooseUpstream } from './choose-upstream.ts';
import { UsageError, type CommandInput } from './command.ts';

const chosen = (options: CommandInput['options'], environment: Readonly<Record<string, string>> = {}) => {
  const world = { print: () => {}, complain: () => {}, exit: () => {}, environment };
  const { provider, catalog } = chooseUpstream({ words: [], options, world });
  return { name: provider.name, upstreamIds: new Set(catalog.map(({ upstreamId }) => upstreamId)) };
};

const ownNames = new Set(defaultCatalog.map(({ upstreamId }) => upstreamId));

test('answers from the sandbox where no upstream is named, whatever keys lie about', () => {
  const keys = { GEMINI_API_KEY: 'a', OPENAI_API_KEY: 'b' };
  for (const environment of [{}, keys, { ...keys, OPENAI_BASE_URL: '' }])
    expect(chosen({}, environment)).toEqual({ name: 'sandbox', upstreamIds: ownNames });
});

test('takes an address for an upstream of chat completions, from the option before the environment', () => {
  const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'local' };
  expect(chosen({}, environment)).toEqual({ name: 'openai', upstreamIds: new Set(['local']) });
  expect(chosen({ upstream: 'http://127.0.0.1:8/v1', 'upstream-model': 'other' }, environment)).toEqual({
    name: 'openai',
    upstreamIds: new Set(['other']),
  });
});

test('calls the Gemini API by name, under the names of the catalog, with a key of its own', () => {
  const environment = { GEMINI_API_KEY: 'a', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'local' };
  expect(chosen({ upstream: 'google' }, environment)).toEqual({ name: 'google', upstreamIds: ownNames });
  expect(() => chosen({ upstream: 'google' }, { GEMINI_API_KEY: '' })).toThrow(UsageError);
});

test('calls the Anthropic API by name, with a key of its own and a model that is named', () => {
  const environment = { ANTHROPIC_API_KEY: 'a', ANTHROPIC_MODEL: 'claude-opus-4-8' };
  const named = { name: 'anthropic', upstreamIds: new Set(['claude-opus-4-8']) };
  expect(chosen({ upstream: 'anthropic' }, environment)).toEqual(named);
  const { ANTHROPIC_MODEL: model, ...withoutModel } = environment;
  expect(chosen({ upstream: 'anthropic', 'upstream-model': model }, withoutModel)).toEqual(named);
  expect(() => chosen({ upstream: 'anthropic' }, withoutModel)).toThrow(UsageError);
  expect(() => chosen({ upstream: 'anthropic' }, { ...environment, ANTHROPIC_API_KEY: '' })).toThrow(UsageError);
});
