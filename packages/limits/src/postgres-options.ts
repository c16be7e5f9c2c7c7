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
  readonly schema?: string;
  /** Whether to make what is missing of the schema (default); without it a role without the right to do so is enough. */
  readonly create?: boolean;
  /** Connections of its own at the most (default 4). */
  readonly connectionsMax?: number;
  /** How long a statement or a new connection of its own may take (default 1,000); the gateway waits for `limiterMs`. */
  readonly timeoutMs?: number;
  /** For how long the place of a request is taken whose process died (default 30,000). It is renewed while the request runs. */
  readonly leaseMs?: number;
  /** For how long a refusal is repeated without asking the database (default 250; 0 asks each time). */
  readonly refusalKeptMs?: number;
  /** How often rows that say nothing any more are deleted (default 60,000). */
  readonly tidyEveryMs?: number;
  /** A clock of this process, for refusals; limits go by the clock of the database. */
  readonly monotonicMs?: () => number;
  /** Runs again and again, and returns how to end it. */
  readonly every?: (ms: number, run: () => void) => () => void;
}

export type PostgresLimitsOptions = Source & Settings;

export const postgresDefaults = {
  schema: 'tollgate_limits',
  connectionsMax: 4,
  timeoutMs: 1_000,
  leaseMs: 30_000,
  refusalKeptMs: 250,
  tidyEveryMs: 60_000,
} as const;

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
