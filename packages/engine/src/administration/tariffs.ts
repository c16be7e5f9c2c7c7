import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../engine.ts';

/**
 * Keeps the engine's tariff beside the operations priced by it. Throws where the same version was published with other
 * prices: a version never changes, so that an old charge can always be explained.
 */
export const publishTariff = async (engine: Engine): Promise<void> => {
  const { version, input } = engine.tariff;
  // As the storage will give it back: what JSON drops or rounds must not look like a difference.
  const body: unknown = JSON.parse(JSON.stringify(input));
  const published = await engine.storage.transact([{ table: 'tariff', id: version }], (records, nowMs) => {
    const existing = records.get('tariff', version);
    if (existing !== undefined) return { writes: [], answer: isDeepStrictEqual(existing.body, body) };
    return {
      writes: [{ kind: 'put', table: 'tariff', record: { id: version, body, createdAtMs: nowMs } }],
      answer: true,
    };
  });
  if (!published) throw new Error(`tariff version ${version} was published with other prices: give it a new version`);
};
