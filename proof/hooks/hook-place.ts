import type { Storage } from '@tollgate/storage';
import { postgresStorage } from '@tollgate/storage-postgres';
import {
  createGateway,
  microsFromCredits,
  silentLogger,
  sqliteStorage,
  type Gateway,
  type GatewayOptions,
} from 'tollgate';

/** Where the processes of a run work. */
export interface HookPlace {
  readonly kind: 'sqlite' | 'postgres';
  /** Of the file, or of the database. */
  readonly at: string;
}

type Hooks = NonNullable<GatewayOptions['hooks']>;

/** What a worker had in hand when it died is claimed again after the lease; a function has half of it. */
const limits = { leaseMs: 6_000, renewMs: 2_000, sweepMs: 200 };

const storageOf = ({ kind, at }: HookPlace) =>
  kind === 'sqlite' ? sqliteStorage({ path: at }) : postgresStorage({ connectionString: at });

/** A gateway, and the storage that it works on. */
export interface OpenPlace {
  readonly gateway: Gateway;
  readonly storage: Storage;
}

/** As every process of a run assembles it, but for the functions that take its events. */
export const openPlace = async (place: HookPlace, hooks: Hooks): Promise<OpenPlace> => {
  const storage = await storageOf(place);
  const gateway = await createGateway({
    storage,
    contextSecret: 'the secret of all gateways of the hooks',
    webhooks: false,
    logger: silentLogger,
    limits,
    hooks: { lowBalanceMicros: microsFromCredits('3000'), ...hooks },
    tariff: {
      version: 'hooks',
      models: { '*': { perMillion: { input_text_tokens: '1000', output_text_tokens: '1000' } } },
    },
  });
  return { gateway, storage };
};
