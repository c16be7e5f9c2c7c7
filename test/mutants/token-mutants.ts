import { engineMutant, suiteCase } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';

const ofTokens = (title: string): Mutant['test'] => suiteCase('token-cases.ts', title);

const inDirectory = (
  name: string,
  [search, replace]: readonly [search: string, replace: string],
  title: string,
): Mutant => ({ name, file: 'packages/engine/src/access/access-directory.ts', search, replace, test: ofTokens(title) });

/** Faults in what a token of a page may do. */
export const tokenMutants: readonly Mutant[] = [
  {
    name: 'a token is for the pages of every origin',
    file: 'packages/routes/src/check-token-use.ts',
    search: 'if (!admitsOrigin(origins, origin))',
    replace: 'if (!admitsOrigin(origins, null))',
    test: ofTokens('a token is for the pages of its origins, and says nothing of an origin to a server'),
  },
  inDirectory(
    'a token calls models that its key may not call any more',
    ['models: inBoth(models, key.models),', 'models: models ?? key.models,'],
    'a token calls its models alone, and never one that its key may not call',
  ),
  inDirectory(
    'a token has no budget',
    ['budgetMicros === null ? undefined :', 'budgetMicros !== null ? undefined :'],
    '64 calls at once by one token never pass its budget',
  ),
  engineMutant(
    'the id of a token is enough to call with it',
    ['access/access-directory.ts', ' || !isApiKeySecret(text, token.secretHash)', ''],
    ['access/access-directory.test.ts', 'is not known by its id without its secret, nor by the secret of its key'],
  ),
  {
    name: 'a token lets in at the instant of its expiry',
    file: 'packages/engine/src/decisions/access.ts',
    search: 'token.expiresAtMs <= nowMs',
    replace: 'token.expiresAtMs < nowMs',
    test: ofTokens('a token calls as its key does until it expires'),
  },
  {
    name: 'a token lets in after it was revoked',
    file: 'packages/engine/src/decisions/access.ts',
    search: ' || token.revokedAtMs !== null',
    replace: '',
    test: ofTokens('a token ends with its revocation, and with its key, project or account'),
  },
  engineMutant(
    'a token outlives its key',
    ['decisions/create-token.ts', 'Math.min(nowMs + ttlMs, keyEndsAtMs)', 'nowMs + ttlMs'],
    ['decisions/create-token.test.ts', 'a token lives for the time that it was given, and no longer than its key'],
  ),
];
