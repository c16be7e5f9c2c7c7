import { V7Generator } from 'uuidv7';

/** All ids are written here in turn: a text that grows by its characters is many texts, which are joined when it is read. */
const written = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');
const digits = Buffer.from('0123456789abcdef', 'latin1');
/** Where the two digits of each byte stand between the hyphens. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

const digitOf = (value: number): number => digits[value] ?? 0;

/** The usual text of a uuid. */
const toText = (bytes: Readonly<Uint8Array>): string => {
  for (let at = 0; at < places.length; at += 1) {
    const [place = 0, byte = 0] = [places[at], bytes[at]];
    written[place] = digitOf(byte >>> 4);
    written[place + 1] = digitOf(byte & 0xf);
  }
  return written.toString('latin1');
};

/** Random numbers fetched from the system at once: a call for each costs more than the id that is made of them. */
const pooledNumbers = 1_024;
const bytesPerNumber = 4;

/** Makes uuids that grow with time, also within one millisecond (version 7). */
export const createTimeOrderedIds = (randomBytes: (size: number) => Uint8Array): (() => string) => {
  let pool: DataView | undefined;
  let at = 0;
  const nextUint32 = (): number => {
    if (pool === undefined || at === pool.byteLength) {
      const bytes = randomBytes(pooledNumbers * bytesPerNumber);
      pool = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      at = 0;
    }
    const number = pool.getUint32(at);
    at += bytesPerNumber;
    return number;
  };
  const generator = new V7Generator({ nextUint32 });
  return () => toText(generator.generate().bytes);
};
