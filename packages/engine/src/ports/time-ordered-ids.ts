import { V7Generator } from 'uuidv7';

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
  return () => generator.generate().toString();
};
