import { deflateSync } from 'node:zlib';
import { pdfOf, samplePdf } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { pdfText } from './pdf-text.ts';

const source = (bytes: Uint8Array) =>
  async function* read(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  };

const never = new AbortController().signal;
const readPdf = pdfText();

test('reads the text of every page, with its number', async () => {
  const pdf = samplePdf(['The harbour opens at six.\nShips wait (at anchor).', '', 'Der Hafen schlie\xDFt um elf.']);
  expect(await readPdf(source(pdf), never)).toEqual({
    kind: 'read',
    pages: [
      { number: 1, text: 'The harbour opens at six.\nShips wait (at anchor).' },
      { number: 2, text: '' },
      { number: 3, text: 'Der Hafen schließt um elf.' },
    ],
  });
});

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';

/** Encrypted with a password that is not told. */
const lockedPdf = (): Uint8Array => {
  const text = Buffer.from(samplePdf(['Secret'])).toString('latin1');
  const key = '0'.repeat(64);
  const lock = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>]`;
  return Buffer.from(text.replace('/Root 1 0 R', `/Root 1 0 R ${lock}`), 'latin1');
};

test.each([
  ['nothing', new Uint8Array()],
  ['what is no PDF', Buffer.from('%PDF-1.4 but nothing else')],
  ['random bytes', Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251)],
  ['half a file', samplePdf(['One', 'Two']).subarray(0, 300)],
  ['a tree of pages that leads into itself', pdfOf([catalog, '<< /Type /Pages /Count 1 /Kids [2 0 R] >>'])],
  ['a page that is not there', pdfOf([catalog, '<< /Type /Pages /Count 3 /Kids [9 0 R] >>'])],
  ['a locked file', lockedPdf()],
])('refuses %s', async (_, bytes) => {
  const found = await readPdf(source(bytes), never);
  expect(found).toEqual({ kind: 'refused', reason: 'unreadable' });
});

test('refuses more pages, and more text, than is allowed, without reading on', async () => {
  const pdf = samplePdf(['One page', 'Two pages', 'Three pages']);
  const refused = { kind: 'refused', reason: 'too_long' };
  expect(await pdfText({ pagesMax: 2 })(source(pdf), never)).toEqual(refused);
  expect(await pdfText({ charactersMax: 20 })(source(pdf), never)).toEqual(refused);
});

/** A page whose content, less than a megabyte in the file, is 700 unpacked. */
const bomb = (): Uint8Array => {
  const unpacked = Buffer.alloc(700_000_000, ' ');
  const packed = deflateSync(unpacked);
  const head = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
  return pdfOf([
    catalog,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    `${head}${packed.toString('latin1')}\nendstream`,
  ]);
};

test('ends the reading of a file that unpacks to more than memory allows, and reads the next one', async () => {
  const small = pdfText({ memoryBytesMax: 300 * 1024 * 1024, readMs: 600_000 });
  expect(await small(source(bomb()), never)).toEqual({ kind: 'refused', reason: 'too_long' });
  expect(await small(source(samplePdf(['Still here'])), never)).toMatchObject({ kind: 'read' });
});

test('ends a reading that takes too long', async () => {
  expect(await pdfText({ readMs: 1 })(source(samplePdf(['Slow'])), never)).toEqual({
    kind: 'refused',
    reason: 'too_long',
  });
});

test('stops where it is let go of', async () => {
  const leaving = new AbortController();
  const reading = readPdf(source(samplePdf(['Left'])), leaving.signal);
  leaving.abort(new Error('let go of'));
  await expect(reading).rejects.toThrow('let go of');
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield samplePdf(['Half']).subarray(0, 100);
  throw new Error('the blob is gone');
}

test('hands on what breaks while the bytes are read', async () => {
  await expect(readPdf(broken, never)).rejects.toThrow('the blob is gone');
});

test('reads so many at once and the others in turn', async () => {
  const one = pdfText({ readersMax: 1 });
  const texts = await Promise.all(
    ['a', 'b', 'c'].map(async (text) => {
      const found = await one(source(samplePdf([text])), never);
      return found.kind === 'read' ? found.pages[0]?.text : found.reason;
    }),
  );
  expect(texts).toEqual(['a', 'b', 'c']);
});
