import {
  also,
  checkConfiguration,
  faultAt,
  isWebOrigin,
  list,
  memberPlace,
  nullable,
  optionsCheck,
  required,
  text,
  whole,
  type ConfigurationFault,
} from '@tollgate/contract/configuration';
import type { ApiKeyRecord, BrowserTokenRecord } from '@tollgate/storage';
import { createTokenText } from '../access/api-key.ts';
import { createTokenStep } from '../decisions/create-token.ts';
import { revokeTokenStep } from '../decisions/revoke-token.ts';
import type { Engine } from '../engine.ts';
import { microsMax } from '../ledger/micros.ts';
import { commitOnce } from '../operations/persist.ts';
import { idCheck } from './id-check.ts';
import { modelFaults } from './key-checks.ts';
import { microsCheck } from './micros-check.ts';

/** How long a token lives where the host names no time, and at the most. */
export const tokenBounds = { defaultSeconds: 600, secondsMax: 3_600, originsMax: 20, modelsMax: 1_000 } as const;

/** What a token may do; what is absent or null bounds it no more than its key is bounded. */
export interface TokenInput {
  readonly keyId: string;
  /** The origins of pages that may send it, such as `https://app.example.com`. */
  readonly origins?: readonly string[] | null | undefined;
  /** The catalog ids that it may call, of those that its key may. */
  readonly models?: readonly string[] | null | undefined;
  /** What it may spend in all. */
  readonly budgetMicros?: bigint | null | undefined;
  /** How long it lives: 10 minutes by default, and an hour at the most. */
  readonly ttlSeconds?: number | undefined;
}

/** What making a token returns: its text is shown this once. */
export interface CreatedToken {
  readonly id: string;
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A token without its secret. */
export type TokenInfo = Omit<BrowserTokenRecord, 'secretHash' | 'owner' | 'dueAtMs'>;

const origin = text({ isSound: isWebOrigin, accepted: 'is an origin such as https://app.example.com, without a path' });

export const tokenCheck = optionsCheck<TokenInput>({
  keyId: required(idCheck),
  origins: nullable(list(origin, { entriesMin: 1, entriesMax: tokenBounds.originsMax })),
  models: nullable(list(text(), { entriesMin: 1, entriesMax: tokenBounds.modelsMax })),
  budgetMicros: nullable(
    microsCheck((value) => value >= 0n && value <= microsMax, `, from 0 to ${microsMax} (1,000,000,000 credits)`),
  ),
  ttlSeconds: whole({ min: 1, max: tokenBounds.secondsMax }),
});

/** The faults of models that the key may not call: a token for them could never be used. */
const beyondKey = (models: readonly string[], key: ApiKeyRecord, place: string): readonly ConfigurationFault[] => {
  const allowed = key.model === null ? key.models : [key.model];
  const beyond = allowed === null ? undefined : models.find((id) => !allowed.includes(id));
  return beyond === undefined
    ? []
    : faultAt(
        memberPlace(place, 'models'),
        `names '${beyond}', which the key may not call`,
        `names models of the key: ${allowed?.join(', ')}`,
      );
};

const faultsOf = (
  { policy }: Pick<Engine, 'policy'>,
  key: ApiKeyRecord,
  { models }: TokenInput,
  place: string,
): readonly ConfigurationFault[] => {
  const unknown = modelFaults({ models }, policy.models, place);
  return unknown.length > 0 ? unknown : beyondKey(models ?? [], key, place);
};

/**
 * Makes a token of a key for a page, or returns null where there is no such key, or it may not be used now. Throws a
 * `ConfigurationError` for models that the key may not call.
 */
export const createToken = async (engine: Engine, input: TokenInput): Promise<CreatedToken | null> => {
  const { keyId, origins = null, models = null, budgetMicros = null } = input;
  const key = (await engine.storage.read([{ table: 'apiKey', id: keyId }])).get('apiKey', keyId);
  if (key === undefined) return null;
  checkConfiguration(
    'createToken',
    also(tokenCheck, (sound, place) => faultsOf(engine, key, sound, place)),
    input,
  );
  const id = engine.newId();
  const { token, secretHash } = createTokenText(id, engine.randomBytes);
  const { projectId, accountId } = key;
  const ttlMs = (input.ttlSeconds ?? tokenBounds.defaultSeconds) * 1_000;
  const created = await commitOnce(
    engine,
    createTokenStep({ id, keyId, projectId, accountId, secretHash, origins, models, budgetMicros, ttlMs }),
  );
  return created === null ? null : { id, token, expiresAtMs: created.expiresAtMs };
};

/** Ends a token for good; what it began goes on. Null where there is none, or it was forgotten after it expired. */
export const revokeToken = async (engine: Engine, tokenId: string): Promise<TokenInfo | null> => {
  const token = await commitOnce(engine, revokeTokenStep(tokenId));
  engine.access.forget();
  return token === null ? null : infoOf(token);
};

const infoOf = ({ secretHash: _, owner: _owner, dueAtMs: _due, ...info }: BrowserTokenRecord): TokenInfo => info;

/** A token without its secret, or null. */
export const readToken = async ({ storage }: Pick<Engine, 'storage'>, tokenId: string): Promise<TokenInfo | null> => {
  const token = (await storage.read([{ table: 'browserToken', id: tokenId }])).get('browserToken', tokenId);
  return token === undefined ? null : infoOf(token);
};
