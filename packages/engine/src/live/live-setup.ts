import type { LiveConfig } from '@tollgate/contract';
import type { LiveSessionRecord } from '@tollgate/storage';

/** What a session is to be like, as its record keeps it. */
export interface LiveSetup {
  /** As it is handed to the provider. */
  readonly config: { readonly [key: string]: unknown };
  /** When it ends whatever it pays, where its access says so. */
  readonly untilMs: number | null;
}

/** Beside the settings, whose names are all of the contract. */
const untilName = 'until_ms';

export const toStoredSetup = (config: LiveConfig, untilMs: number | undefined): unknown =>
  untilMs === undefined ? config : { ...config, [untilName]: untilMs };

export const liveSetupOf = (record: Pick<LiveSessionRecord, 'config'>): LiveSetup => {
  // The record is written by the route alone, which puts a checked object there.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { [untilName]: untilMs, ...config } = record.config as { readonly [key: string]: unknown };
  return { config, untilMs: typeof untilMs === 'number' ? untilMs : null };
};
