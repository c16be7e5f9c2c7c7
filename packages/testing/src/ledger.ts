export { describeIdentities, describeLedger } from './ledger/describe-ledger.ts';
export { identityCases, type IdentityCase, type OpenedIdentities } from './ledger/identity-cases.ts';
export { ledgerCases } from './ledger/ledger-cases.ts';
export { identityPromises, ledgerPromises } from './ledger/ledger-promises.ts';
export type { LedgerCase, LedgerWorld, OpenedLedger } from './ledger/ledger-world.ts';
export { BrokenPromise } from './broken-promise.ts';
export type { TestContext, TestRunner } from './test-runner.ts';
