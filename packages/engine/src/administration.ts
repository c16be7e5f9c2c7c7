import { createAccount, listAccounts, readWallet, setAccountStatus } from './administration/accounts.ts';
import { compensate, deposit, settlePending } from './administration/deposits.ts';
import { createKey, listKeys, setKeyStatus } from './administration/keys.ts';
import { createProject, listProjects, setProjectStatus } from './administration/projects.ts';
import { resolveOperation } from './administration/resolve.ts';
import { listOperations, readOperation, readStatement } from './administration/statements.ts';
import { audit } from './audit.ts';
import type { Engine } from './engine.ts';
import { sweep } from './sweep.ts';
import { redeliver, rotateWebhookSecret, sendTestEvent } from './webhooks/webhooks.ts';

/** Everything a host's dashboard does: plain functions, none of them reachable over HTTP. */
export type Administration = ReturnType<typeof createAdministration>;

const bind =
  <A extends readonly unknown[], R>(engine: Engine, run: (engine: Engine, ...rest: A) => R) =>
  (...rest: A): R =>
    run(engine, ...rest);

/** Binds the administration to one engine. */
export const createAdministration = (engine: Engine) => ({
  createAccount: bind(engine, createAccount),
  setAccountStatus: bind(engine, setAccountStatus),
  listAccounts: bind(engine, listAccounts),
  readWallet: bind(engine, readWallet),
  deposit: bind(engine, deposit),
  compensate: bind(engine, compensate),
  settlePending: bind(engine, settlePending),
  createProject: bind(engine, createProject),
  setProjectStatus: bind(engine, setProjectStatus),
  listProjects: bind(engine, listProjects),
  createKey: bind(engine, createKey),
  setKeyStatus: bind(engine, setKeyStatus),
  listKeys: bind(engine, listKeys),
  readStatement: bind(engine, readStatement),
  listOperations: bind(engine, listOperations),
  readOperation: bind(engine, readOperation),
  resolveOperation: bind(engine, resolveOperation),
  redeliver: bind(engine, redeliver),
  sendTestEvent: bind(engine, sendTestEvent),
  rotateWebhookSecret: bind(engine, rotateWebhookSecret),
  audit: bind(engine, audit),
  sweep: bind(engine, sweep),
});
