import { byKind, list, text } from '@tollgate/contract/configuration';
import { findSetting, sharedSetting } from '@tollgate/engine';
import type { GatewayOptions } from './gateway-options.ts';

/** What seals: the first seals, all open. */
export type ContextSecrets = readonly [string, ...string[]];

/** Of hexadecimal digits so many hold 128 bits. */
const charsMin = 32;
const secretsMax = 16;
const secretBytes = 32;
/** Where the generated one lies, in the storage beside what it seals. */
const settingId = 'context_secret';

const accepted = `is a text of at least ${charsMin} characters, such as \`openssl rand -base64 32\` prints, or a list of up to ${secretsMax} of them, the one that seals first`;

const secret = text({ charsMin, accepted, isSecret: true });

/** One secret, or a list of them; no message repeats any. */
export const contextSecretCheck = byKind<string | readonly string[]>(
  { text: secret, list: list(secret, { entriesMin: 1, entriesMax: secretsMax }) },
  accepted,
);

/** The option as a list; empty where the host gives none. */
export const toContextSecrets = (option: string | readonly string[] | undefined): readonly string[] => {
  if (option === undefined) return [];
  return typeof option === 'string' ? [option] : option;
};

interface Source {
  readonly storage: NonNullable<GatewayOptions['storage']>;
  readonly logger: NonNullable<GatewayOptions['logger']>;
  readonly given: readonly string[];
  readonly randomBytes: (size: number) => Uint8Array;
}

/**
 * The secrets of this gateway. A host that gives none gets one that all processes on the storage share, and a warning: a copy of
 * the storage then opens everything. A host that gives one later on can still open what was sealed with the generated one.
 */
export const findContextSecrets = async ({ storage, logger, given, randomBytes }: Source): Promise<ContextSecrets> => {
  const [first, ...former] = given;
  if (first === undefined) {
    logger.warn(
      'contextSecret is not given, so the key to every secret in the storage lies in the storage: give one, and keep it elsewhere',
    );
    const make = (): string => Buffer.from(randomBytes(secretBytes)).toString('base64url');
    return [await sharedSetting(storage, settingId, make)];
  }
  const generated = await findSetting(storage, settingId);
  return generated === undefined ? [first, ...former] : [first, ...former, generated];
};
