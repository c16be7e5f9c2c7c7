import { isTimeZone } from '@tollgate/cron';
import {
  acceptedWords,
  faultAt,
  list,
  memberPlace,
  nullable,
  oneOf,
  optionsCheck,
  required,
  text,
  whole,
  type ConfigurationFault,
} from '@tollgate/contract/configuration';
import type { ApiKeyRecord, CapRecord, Metadata } from '@tollgate/storage';
import { microsMax } from '../ledger/micros.ts';
import type { CallerLimits } from '../ports/caller-limits.ts';
import { idCheck } from './id-check.ts';
import { limitsCheck, rateMax } from './limits-check.ts';
import { metadataCheck } from './metadata-check.ts';
import { microsCheck } from './micros-check.ts';
import { nameCheck } from './name-check.ts';

/** What a key may spend in each window of time: what is spent and held and a new hold together are within it. */
export interface KeyCap {
  readonly amountMicros: bigint;
  /** Hours, days, weeks and months by the clock of the zone; `total` never ends. */
  readonly window: CapRecord['window'];
  /** IANA name; by default UTC. */
  readonly timeZone?: string | undefined;
}

/** What a key may do, as a host sets it; what is absent or null is not bounded. */
export interface KeyTerms {
  /** From then on the key opens nothing; in milliseconds since 1970. A time that is past is refused. */
  readonly expiresAtMs?: number | null | undefined;
  /** The catalog ids that the key may call. */
  readonly models?: readonly string[] | null | undefined;
  readonly cap?: KeyCap | null | undefined;
  /** For a limiter: a gateway without one keeps them and does not enforce them. */
  readonly limits?: CallerLimits | null | undefined;
  /** Texts of the host's own. */
  readonly metadata?: Metadata | null | undefined;
}

/** A new key. */
export interface KeyInput extends KeyTerms {
  readonly projectId: string;
  /** The catalog id the key is bound to for life; absent or null chooses automatically. */
  readonly model?: string | null | undefined;
  readonly name?: string | undefined;
}

/** A key of the host's own reference: asking for it again makes no second one. */
export interface ReferredKeyInput extends KeyInput {
  /** Unique in the project, 1 to 200 characters. */
  readonly reference: string;
}

/** What is changed of a key; what is not named stays, and null takes a bound away. */
export interface KeyChange extends KeyTerms {
  readonly name?: string | undefined;
  readonly status?: ApiKeyRecord['status'] | undefined;
}

/** What the terms of a key hold at the most; the host's claim of a caller is bounded alike. */
export const keyBounds = { modelsMax: 1_000, referenceCharsMax: 200, rateMax } as const;

const { modelsMax, referenceCharsMax } = keyBounds;

const capCheck = optionsCheck<KeyCap>({
  amountMicros: required(
    microsCheck((value) => value >= 0n && value <= microsMax, `, from 0 to ${microsMax} (1,000,000,000 credits)`),
  ),
  window: required(oneOf('hour', 'day', 'week', 'month', 'total')),
  timeZone: text({ isSound: isTimeZone, accepted: 'is an IANA time zone such as Europe/Berlin' }),
});

const terms = {
  expiresAtMs: nullable(whole({ min: 1 })),
  models: nullable(list(text(), { entriesMin: 1, entriesMax: modelsMax })),
  cap: nullable(capCheck),
  limits: limitsCheck,
  metadata: metadataCheck,
} as const;

const keyMembers = { ...terms, projectId: required(idCheck), model: nullable(text()), name: nameCheck };

/** What a host asks of a key. */
export const keyCheck = optionsCheck<KeyInput>(keyMembers);

/** The reference of a key. */
export const keyReferenceCheck = text({
  charsMax: referenceCharsMax,
  accepted: `is a text of 1 to ${referenceCharsMax} characters`,
});

export const referredKeyCheck = optionsCheck<ReferredKeyInput>({
  ...keyMembers,
  reference: required(keyReferenceCheck),
});

/** What a host may change of a key. */
export const keyChangeCheck = optionsCheck<KeyChange>({
  ...terms,
  name: nameCheck,
  status: oneOf<ApiKeyRecord['status']>('active', 'inactive', 'revoked'),
});

type Named = Pick<KeyInput, 'models'> & { readonly model?: string | null | undefined };

const unknownModel = (model: string, place: string, known: readonly string[]): readonly ConfigurationFault[] =>
  faultAt(place, `names '${model}', which is no model of the catalog`, acceptedWords(model, known));

/** The faults of models that the catalog does not have: a key for them could never be used. */
export const modelFaults = (
  { model = null, models }: Named,
  known: readonly string[] | null,
  place: string,
): readonly ConfigurationFault[] => {
  if (known === null) return [];
  const faults: ConfigurationFault[] = [];
  if (model !== null && !known.includes(model)) faults.push(...unknownModel(model, memberPlace(place, 'model'), known));
  const unknown = (models ?? []).find((id) => !known.includes(id));
  if (unknown !== undefined) faults.push(...unknownModel(unknown, memberPlace(place, 'models'), known));
  if (model !== null && models && !models.includes(model))
    faults.push(
      ...faultAt(
        memberPlace(place, 'models'),
        `leaves out '${model}', to which the key is bound`,
        'is a list with it, or null',
      ),
    );
  return faults;
};
