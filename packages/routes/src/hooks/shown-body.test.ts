import { isRecord, type LiftedData } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { formFile } from '../multipart/form-fields.ts';
import { shownBody } from './shown-body.ts';

const lifted: LiftedData = {
  kind: 'lifted',
  key: 'media/1',
  sizeBytes: 7,
  sha256: '',
  head: new Uint8Array(),
  tail: new Uint8Array(),
  isUtf8: false,
  read: async function* () {},
};

test('copies a body, so that a hook cannot change what runs', () => {
  const body = { messages: [{ role: 'user', content: 'Hello' }], n: 1, stop: null };
  const shown = shownBody(body);
  expect(shown).toEqual(body);
  const [message] = isRecord(shown) && Array.isArray(shown['messages']) ? shown['messages'] : [];
  expect(message).toEqual(body.messages[0]);
  expect(message).not.toBe(body.messages[0]);
});

test('shows of a medium and of a file that they were there, and their size', () => {
  expect(shownBody({ data: lifted, image: formFile('a.png', 'AAAA'), other: formFile('b.png', lifted) })).toEqual({
    data: { omitted: 'media', sizeBytes: 7 },
    image: { omitted: 'file', sizeBytes: 3 },
    other: { omitted: 'file', sizeBytes: 7 },
  });
});

test('keeps a member of any name', () => {
  expect(JSON.stringify(shownBody(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
});
