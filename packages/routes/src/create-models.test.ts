import { defaultCatalog } from '@tollgate/contract';
import type { Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createModels } from './create-models.ts';
import type { SelectModel } from './service.ts';

const provider: Provider = { name: 'own', generate: () => Promise.reject(new Error('not asked')) };

const question = { keyId: 'k', projectId: 'p', accountId: 'a', request: { route: 'chat' } } as const;

const modelsBy = (select?: (...given: Parameters<SelectModel>) => unknown, served = provider) => {
  const logged: unknown[] = [];
  const log = (_: string, fields?: Readonly<Record<string, unknown>>): void => void logged.push(fields);
  const models = createModels({
    catalog: defaultCatalog,
    providerOf: () => served,
    isPriced: () => true,
    logger: { info: log, warn: log, error: log },
    ...(select === undefined ? {} : { select: select as SelectModel }),
  });
  return { models, logged };
};

/** What a log line says of a choice that is none. */
const about = { code: 'select_model_failed', keyId: 'k', route: 'chat' };

test('takes the row that a host chooses, also a copy of it, or none', () => {
  const { models, logged } = modelsBy((available) => ({ ...available[2] }));
  expect(models.selectAutomatically(question)).toBe(defaultCatalog[2]);
  expect(modelsBy(() => null).models.selectAutomatically(question)).toBeNull();
  expect(logged).toEqual([]);
});

test.each([
  ['a promise', () => Promise.resolve(defaultCatalog[0])],
  ['an id', () => 'flash-3.8'],
  ['nothing', () => undefined],
  ['a row of another catalog', () => ({ ...defaultCatalog[0], id: 'another' })],
])('chooses no model where selectModel answers %s, and logs it with a code', (_, select) => {
  const { models, logged } = modelsBy(select);
  expect(models.selectAutomatically(question)).toBeNull();
  expect(logged).toEqual([{ ...about, reason: 'nonsense' }]);
});

test('chooses no model where selectModel throws, and logs it with a code', () => {
  const cause = new Error('no choice');
  const { models, logged } = modelsBy(() => {
    throw cause;
  });
  expect(models.selectAutomatically(question)).toBeNull();
  expect(logged).toEqual([{ ...about, reason: 'threw', cause }]);
});

test('asks the host for whom and for which routes it is to choose, and offers it the rows of both chat and these routes', () => {
  const asked: unknown[] = [];
  const embedder: Provider = { ...provider, embed: () => Promise.reject(new Error('not asked')) };
  const { models } = modelsBy((available, given) => {
    asked.push(given);
    return available.find(({ routes }) => routes.includes(given.request.route)) ?? null;
  }, embedder);
  const embedding = { ...question, request: { route: 'embeddings' } } as const;
  expect(models.selectAutomatically(question)?.routes).toContain('chat');
  expect(models.selectAutomatically(embedding)?.routes).toContain('embeddings');
  expect(asked).toEqual([question, embedding]);
  const chosen = modelsBy(undefined, embedder).models.selectAutomatically(embedding);
  expect(chosen).toBe(defaultCatalog.find(({ recommended, routes }) => recommended && routes.includes('chat')));
});
