import {
  callable,
  checkOf,
  faultAt,
  flag,
  foreign,
  isDatabaseAddress,
  optionsCheck,
  text,
  timerMs,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import type { Pool } from 'pg';
import { limitsChecks, type LimitsOptions } from './limits-options.ts';

/** Where connections come from: some of our own, or those of a pool that the host has. */
type Source =
  | { readonly connectionString: string; readonly pool?: never }
  | { readonly pool: Pool; readonly connectionString?: never };

interface Settings extends LimitsOptions {
  /** The schema of its tables; `tollgate_limits` by default, apart from that of the storage. */
  readonly schema?: string | undefined;
  /** Whether to make what is missing of the schema (default); without it a role without the right to do so is enough. */
  readonly create?: boolean | undefined;
  /** Connections of its own at the most (default 4). */
  readonly connectionsMax?: number | undefined;
  /** How long a statement or a new connection of its own may take (default 1,000); the gateway waits for `limiterMs`. */
  readonly timeoutMs?: number | undefined;
  /** For how long the place of a request is taken whose process died (default 30,000). It is renewed while the request runs. */
  readonly leaseMs?: number | undefined;
  /** For how long a refusal is repeated without asking the database (default 250; 0 asks each time). */
  readonly refusalKeptMs?: number | undefined;
  /** How often rows that say nothing any more are deleted (default 60,000). */
  readonly tidyEveryMs?: number | undefined;
  /** A clock of this process, for refusals; limits go by the clock of the database. */
  readonly monotonicMs?: (() => number) | undefined;
  /** Runs again and again, and returns how to end it. */
  readonly every?: ((ms: number, run: () => void) => () => void) | undefined;
}

export type PostgresLimitsOptions = Source & Settings;

type Defaulted = {
  readonly [
    Name in 'schema' | 'connectionsMax' | 'timeoutMs' | 'leaseMs' | 'refusalKeptMs' | 'tidyEveryMs'
  ]: NonNullable<Settings[Name]>;
};

/** An option that is undefined counts as one that is not given. */
export const withDefaults = (options: Settings): Defaulted => ({
  schema: options.schema ?? 'tollgate_limits',
  connectionsMax: options.connectionsMax ?? 4,
  timeoutMs: options.timeoutMs ?? 1_000,
  leaseMs: options.leaseMs ?? 30_000,
  refusalKeptMs: options.refusalKeptMs ?? 250,
  tidyEveryMs: options.tidyEveryMs ?? 60_000,
});

/** The server cuts longer names. */
const schemaCharsMax = 63;
const connectionsMax = 64;

type Flat = Settings & { readonly connectionString?: string; readonly pool?: Pool };

const members = optionsCheck<Flat>({
  ...limitsChecks,
  // It may hold a password.
  connectionString: text({
    accepted:
      'is the address of a database, as postgres://user:password@host:5432/database with special characters in it percent-encoded (# as %23, @ as %40)',
    isSound: isDatabaseAddress,
    isSecret: true,
  }),
  pool: foreign<Pool>(),
  schema: text({ charsMax: schemaCharsMax, accepted: `is a name of 1 to ${schemaCharsMax} characters` }),
  create: flag(),
  connectionsMax: whole({ min: 1, max: connectionsMax }),
  timeoutMs: timerMs({ min: 1 }),
  leaseMs: timerMs({ min: 1_000 }),
  refusalKeptMs: timerMs(),
  tidyEveryMs: timerMs({ min: 1_000 }),
  monotonicMs: callable(),
  every: callable(),
});

export const postgresLimitsCheck: OptionCheck<PostgresLimitsOptions> = checkOf((value, place) => {
  const faults = members.faultsOf(value, place);
  if (faults.length > 0 || typeof value !== 'object' || value === null) return faults;
  const given = ['connectionString', 'pool'].filter((name) => Reflect.get(value, name) !== undefined);
  if (given.length === 1) return [];
  const came = given.length === 0 ? 'is missing' : 'stands beside pool';
  return faultAt('connectionString', came, 'is one of connectionString and pool');
});
