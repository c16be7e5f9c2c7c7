import { expect, test } from 'vitest';
import { fromInteractionTools } from './interaction-tools.ts';

test('stores are named by file_search_store_names, or by the ids of the contract', () => {
  const id = '0190f3a0-0000-7000-8000-00000000000a';
  const other = { type: 'web_search' };
  expect(
    fromInteractionTools([
      other,
      { type: 'file_search', file_search_store_names: [`fileSearchStores/${id}`] },
      { type: 'file_search', stores: [id] },
    ]),
  ).toEqual([other, { type: 'file_search', stores: [id] }, { type: 'file_search', stores: [id] }]);
});

test.each(['metadata_filter', 'top_k'])('%s of a search has no place, and is refused by name', (name) => {
  const tool = { type: 'file_search', file_search_store_names: ['a'], [name]: 1 };
  expect(() => fromInteractionTools([tool])).toThrow(`tools[0].${name} `);
});

test('what is no list of tools is left to the contract, which refuses it', () => {
  expect(fromInteractionTools('all')).toBeUndefined();
  expect(fromInteractionTools([{ type: 'file_search', file_search_store_names: 5 }])).toEqual([
    { type: 'file_search', stores: 5 },
  ]);
});
