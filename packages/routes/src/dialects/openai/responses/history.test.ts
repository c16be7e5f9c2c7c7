import { expect, test } from 'vitest';
import type { FoundAnswer } from '../../generation/generation-dialect.ts';
import { expandResponse } from './history.ts';

const id = '01900000-0000-7000-8000-00000000000a';

const found: FoundAnswer = {
  head: { id, model: 'm', createdAtMs: 0, echo: {} },
  answer: { parts: [{ kind: 'text', text: 'Good day.' }], finish: 'stop', echo: {} },
};

test('counts an item of a stored response that a body names again, and looks the response up once', async () => {
  const looked: string[] = [];
  const taken: unknown[] = [];
  const reference = { type: 'item_reference', id: `msg_${id}_0` };
  const expanding = {
    find: (responseId: string) => {
      looked.push(responseId);
      return Promise.resolve(found);
    },
    take: (text: string) => {
      taken.push(JSON.parse(text));
      return Promise.resolve();
    },
  };
  const { body } = await expandResponse({ input: [reference, reference] }, expanding);
  const item = expect.objectContaining({ id: reference.id, type: 'message' });
  expect(body).toEqual({ input: [item, item] });
  expect([looked, taken]).toEqual([[id], [item]]);
});
