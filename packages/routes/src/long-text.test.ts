import { expect, test } from 'vitest';
import { decodeLongText } from './long-text.ts';

const pieceBytes = 262_144;

/** Decodes the inside of a JSON text, and counts the turns that it took. */
const decode = async (raw: Buffer) => {
  let turns = 0;
  const turn = (): Promise<void> => {
    turns += 1;
    return Promise.resolve();
  };
  const bytes = Buffer.concat([Buffer.from('["'), raw, Buffer.from('"]')]);
  const text = await decodeLongText(bytes, { from: 2, to: 2 + raw.length }, turn);
  return { text, turns };
};

test.each(['a', 'é', '€', '𝄞', '\\u0061', '\\\\', '\\"', '\\ud834\\udd1e', '\\\\u0061'])(
  'decodes a text of %s as a parser does, wherever its pieces end',
  async (unit) => {
    const unitBytes = Buffer.byteLength(unit);
    for (let shift = 0; shift <= 12; shift += 1) {
      const raw = 'x'.repeat(shift) + unit.repeat(Math.ceil(pieceBytes / unitBytes) + 3);
      const { text, turns } = await decode(Buffer.from(raw));
      // Compared as one, as a difference would be a quarter of a million characters.
      expect(text === JSON.parse(`"${raw}"`)).toBe(true);
      expect(turns).toBe(2);
    }
  },
);

test.each([
  ['an unknown escape', Buffer.from('\\x')],
  ['an escape that is not whole', Buffer.from('\\u00')],
  ['a line end', Buffer.from('\n')],
  ['what is no UTF-8', Buffer.from([0xff])],
  ['half a character', Buffer.from([0xc3])],
])('refuses a text with %s, as a parser does', async (_name, fault) => {
  const filling = Buffer.alloc(pieceBytes, 'z');
  for (const raw of [Buffer.concat([filling, fault]), Buffer.concat([fault, filling])])
    await expect(decode(raw)).rejects.toMatchObject({ code: 'invalid_json' });
});
