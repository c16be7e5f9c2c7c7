import { suiteCase } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';

const inSuite = (title: string): Mutant['test'] => suiteCase('host-caller-cases.ts', title);
const ofTerms = (title: string): Mutant['test'] => suiteCase('host-caller-terms-cases.ts', title);

const ofDirectory = (title: string): Mutant['test'] => ({
  project: 'unit',
  file: 'packages/engine/src/access/access-directory.test.ts',
  title,
});

/** Faults in how a caller of the host is recognised. */
export const callerMutants: readonly Mutant[] = [
  {
    name: 'the cookies of a visitor count for every page',
    file: 'packages/routes/src/callers/ask-host.ts',
    search: '  checkCookieOrigin(',
    replace: '  ((..._: readonly unknown[]) => undefined)(',
    test: inSuite('counts no cookies that a page of another origin has sent'),
  },
  {
    name: 'the host is asked about a wrong key',
    file: 'packages/routes/src/authenticate.ts',
    search: '(key === null || !isOwnCredential(key))',
    replace: '(key === null || true)',
    test: inSuite('never asks the host about a key or a token of the gateway, good or wrong'),
  },
  {
    name: 'a caller counts under the key of another project',
    file: 'packages/engine/src/access/access-directory.ts',
    search: 'if (access.projectId !== projectId)',
    replace: 'if (access.projectId === null)',
    test: ofDirectory('is none where the rest of the claim is of another project or account'),
  },
  {
    name: 'a caller of the host calls more models than its key may',
    file: 'packages/engine/src/access/access-directory.ts',
    search: 'models: inBoth(models, access.models) };',
    replace: 'models: models ?? access.models };',
    test: ofDirectory('has what its key may do, as far as the host lets it'),
  },
  {
    name: 'a record is made for a caller whose account is another',
    file: 'packages/engine/src/access/claimed-key.ts',
    search: '  if (refused !== null) return refused;\n',
    replace: '',
    test: ofTerms('makes no record for a caller whom it refuses'),
  },
  {
    name: 'a caller counts under the project of another account',
    file: 'packages/engine/src/access/access-directory.ts',
    search: 'accountId !== undefined && access.accountId !== accountId',
    replace: 'accountId === null',
    test: ofDirectory('is none where the rest of the claim is of another project or account'),
  },
  {
    name: 'callers of one project are remembered as one',
    file: 'packages/engine/src/access/access-directory.ts',
    search: 'claimed ${claimedKeyId(claimed)}',
    replace: 'claimed ${claimed.projectId}',
    test: ofDirectory('is remembered for itself, beside a caller of the same project under another key'),
  },
  {
    name: 'callers of two projects with one reference count as one',
    file: 'packages/engine/src/access/claimed-key.ts',
    search: 'referredKeyId(projectId, reference))',
    replace: "referredKeyId('', reference))",
    test: ofTerms('makes one record for each reference, under whose terms its caller counts'),
  },
];
