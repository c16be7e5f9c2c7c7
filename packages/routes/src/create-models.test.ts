import { defaultCatalog, type CatalogModel } from '@tollgate/contract';
import type { Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createModels } from './create-models.ts';

const provider: Provider = { name: 'own', generate: () => Promise.reject(new Error('not asked')) };

const modelsBy = (select?: (available: readonly CatalogModel[]) => unknown) => {
  const logged: unknown[] = [];
  const log = (_: string, fields?: Readonly<Record<string, unknown>>): void => void logged.push(fields);
  const models = createModels({
    catalog: defaultCatalog,
    providerOf: () => provider,
    isPriced: () => true,
    logger: { info: log, warn: log, error: log },
    ...(select === undefined ? {} : { select: select as (available: readonly CatalogModel[]) => CatalogModel | null }),
  });
  return { models, logged };
};

test('takes the row that a host chooses, also a copy of it, or none', () => {
  const { models, logged } = modelsBy((available) => ({ ...available[2] }));
  expect(models.selectAutomatically()).toBe(defaultCatalog[2]);
  expect(modelsBy(() => null).models.selectAutomatically()).toBeNull();
  expect(logged).toEqual([]);
});

test.each([
  ['a promise', () => Promise.resolve(defaultCatalog[0])],
  ['an id', () => 'flash-3.8'],
  ['nothing', () => undefined],
  ['a row of another catalog', () => ({ ...defaultCatalog[0], id: 'another' })],
])('chooses no model where selectModel answers %s, and logs it with a code', (_, select) => {
  const { models, logged } = modelsBy(select);
  expect(models.selectAutomatically()).toBeNull();
  expect(logged).toEqual([{ code: 'select_model_failed', reason: 'nonsense' }]);
});

test('chooses no model where selectModel throws, and logs it with a code', () => {
  const cause = new Error('no choice');
  const { models, logged } = modelsBy(() => {
    throw cause;
  });
  expect(models.selectAutomatically()).toBeNull();
  expect(logged).toEqual([{ code: 'select_model_failed', reason: 'threw', cause }]);
});
