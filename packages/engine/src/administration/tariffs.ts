import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError, faultAt } from '@tollgate/contract/configuration';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import type { TariffInput } from '../ledger/tariff-input.ts';
import { parseTariff, type Tariff } from '../ledger/tariff.ts';

/**
 * Keeps a price list beside the operations priced by it. Throws where the same version was published with other
 * prices: a version never changes, so that an old charge can always be explained.
 */
const publish = async (engine: Engine, { version, input }: Tariff): Promise<void> => {
  // As the storage will give it back: what JSON drops or rounds must not look like a difference.
  const body: unknown = JSON.parse(JSON.stringify(input));
  const published = await commitOnce(engine, {
    keys: [{ table: 'tariff', id: version }],
    decide: (records, nowMs) => {
      const existing = records.get('tariff', version);
      if (existing !== undefined) return { writes: [], answer: isDeepStrictEqual(existing.body, body) };
      return {
        writes: [{ kind: 'put', table: 'tariff', record: { id: version, body, createdAtMs: nowMs } }],
        answer: true,
      };
    },
  });
  if (published) return;
  const faults = faultAt(
    'tariff.version',
    `is ${JSON.stringify(version)}, which the storage keeps with other prices`,
    'is a new version for new prices',
  );
  throw new ConfigurationError('createGateway', faults);
};

/** Keeps every price list of the engine beside the operations priced by it. Throws as for one. */
export const publishTariffs = async (engine: Engine): Promise<void> => {
  for (const list of engine.policy.priceLists.all) await publish(engine, list);
};

/** The price list of a version: the engine's own, or as it was published; null where it never was, or cannot be read any more. */
export const readTariff = async (engine: Engine, version: string): Promise<Tariff | null> => {
  const own = engine.policy.priceLists.all.find((list) => list.version === version);
  if (own !== undefined) return own;
  const published = (await engine.storage.read([{ table: 'tariff', id: version }])).get('tariff', version);
  if (published === undefined) return null;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parseTariff checks every member
    return parseTariff(published.body as TariffInput);
  } catch (cause) {
    engine.logger.error('a published price list cannot be read', { version, cause });
    return null;
  }
};
