import { createAccount, listAccounts, readWallet, setAccountStatus } from './accounts.ts';
import { compensate, deposit, settlePending } from './deposits.ts';
import { createKey, listKeys, setKeyStatus } from './keys.ts';
import { createProject, listProjects, setProjectStatus } from './projects.ts';
import { reconcile } from './reconcile.ts';
import { readProjectQuotas, setProjectQuotas } from './quotas.ts';
import { readStoredAnswer } from './read-stored-answer.ts';
import { listParts, resolveOperation } from './resolve.ts';
import { listOperations, readOperation, readStatement } from './statements.ts';
import { checkArguments } from './argument-check.ts';
import { argumentChecks } from './argument-checks.ts';
import { audit } from '../ledger/audit.ts';
import type { Engine } from '../engine.ts';
import { sweep, type JobParts } from '../jobs/sweep.ts';
import { redeliver, rotateWebhookSecret, sendTestEvent } from '../webhooks/webhooks.ts';

/** Everything a host's dashboard does: plain functions, none of them reachable over HTTP. */
export type Administration = ReturnType<typeof createAdministration>;

type Method = keyof typeof argumentChecks;

/** A function of the engine as a method: its arguments come from JavaScript, so that they are parsed. */
const binder =
  (engine: Engine) =>
  <A extends readonly unknown[], R>(method: Method, run: (engine: Engine, ...rest: A) => Promise<R>) =>
  async (...rest: A): Promise<R> => {
    checkArguments(method, argumentChecks[method], rest);
    return run(engine, ...rest);
  };

/**
 * Binds the administration to one engine, and its sweep to the parts of the same process. A method rejects with a
 * `ConfigurationError` that names it and the field where an argument cannot be meant.
 */
export const createAdministration = (engine: Engine, parts: JobParts) => {
  const bind = binder(engine);
  return {
    createAccount: bind('createAccount', createAccount),
    setAccountStatus: bind('setAccountStatus', setAccountStatus),
    listAccounts: bind('listAccounts', listAccounts),
    readWallet: bind('readWallet', readWallet),
    deposit: bind('deposit', deposit),
    compensate: bind('compensate', compensate),
    settlePending: bind('settlePending', settlePending),
    createProject: bind('createProject', createProject),
    setProjectStatus: bind('setProjectStatus', setProjectStatus),
    listProjects: bind('listProjects', listProjects),
    readProjectQuotas: bind('readProjectQuotas', readProjectQuotas),
    setProjectQuotas: bind('setProjectQuotas', setProjectQuotas),
    createKey: bind('createKey', createKey),
    setKeyStatus: bind('setKeyStatus', setKeyStatus),
    listKeys: bind('listKeys', listKeys),
    readStatement: bind('readStatement', readStatement),
    listOperations: bind('listOperations', listOperations),
    readOperation: bind('readOperation', readOperation),
    listParts: bind('listParts', listParts),
    readStoredAnswer: bind('readStoredAnswer', readStoredAnswer),
    reconcile: bind('reconcile', reconcile),
    resolveOperation: bind('resolveOperation', resolveOperation),
    redeliver: bind('redeliver', redeliver),
    sendTestEvent: bind('sendTestEvent', sendTestEvent),
    rotateWebhookSecret: bind('rotateWebhookSecret', rotateWebhookSecret),
    audit: bind('audit', audit),
    sweep: () => sweep(engine, parts),
  };
};
