import type { Upstream } from '../upstream/scripted-upstream.ts';
import type { RefusedRole } from './need.ts';
import type { Receiver } from '../receiver/start-receiver.ts';

/** Every key, none of which a report shows. */
export const secretsOf = ({ keys, otherKey, poorKey, refusedKeys = {} }: ConformanceOptions): readonly string[] =>
  [...keys, otherKey, poorKey, ...Object.values(refusedKeys)].filter((key) => key !== undefined);

/** What a run is about. */
export interface ConformanceOptions {
  /** The base address of the gateway, which ends in `/api/v1/ai`. */
  readonly base: string;
  /** Keys of one project, each of another model where further routes are to be tried. */
  readonly keys: readonly string[];
  /** A key of another project. */
  readonly otherKey?: string | undefined;
  /** A key of an account without credits. */
  readonly poorKey?: string | undefined;
  /** Keys that the gateway refuses, by why it does. */
  readonly refusedKeys?: Readonly<Partial<Record<RefusedRole, string>>> | undefined;
  /** The brand on the wire: `service` by default. */
  readonly brand?: string | undefined;
  /** Runs the cases whose rules or areas begin with one of these; all by default. */
  readonly only?: readonly string[] | undefined;
  /** The longest that one case may take; 60,000 by default. */
  readonly caseMs?: number | undefined;
  /** How many cases run at once; 4 by default. */
  readonly concurrency?: number | undefined;
  /** Starts no further case once so many credits are charged. */
  readonly creditsMax?: number | undefined;
  /** Also runs the cases that wait for a minute or longer. */
  readonly slow?: boolean | undefined;
  /** The upstream that the gateway calls, where the kit has one. */
  readonly upstream?: Upstream | undefined;
  /** Where the gateway delivers events, where the kit receives any. */
  readonly receiver?: Receiver | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}
