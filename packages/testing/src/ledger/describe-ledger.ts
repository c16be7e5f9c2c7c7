import { describeNumbered } from '../numbered-suite.ts';
import type { TestRunner } from '../test-runner.ts';
import { identityCases, identityWorld, type OpenedIdentities } from './identity-cases.ts';
import { ledgerCases } from './ledger-cases.ts';
import { identityPromises, ledgerPromises } from './ledger-promises.ts';
import { ledgerWorld, type OpenedLedger } from './ledger-world.ts';

/** Registers a test for everything that a ledger of a host must do, each on one that was opened for it alone. */
export const describeLedger = (
  runner: TestRunner,
  name: string,
  open: () => OpenedLedger | Promise<OpenedLedger>,
): void =>
  describeNumbered(runner, {
    title: `${name} is a ledger`,
    promises: ledgerPromises,
    cases: ledgerCases,
    open: async () => {
      const opened = await open();
      return {
        world: ledgerWorld(opened),
        has: (needed) => opened[needed] !== undefined,
        close: () => opened.close?.(),
      };
    },
  });

/** Registers a test for everything that an idempotency store of a host must do, each on one that was opened for it alone. */
export const describeIdentities = (
  runner: TestRunner,
  name: string,
  open: () => OpenedIdentities | Promise<OpenedIdentities>,
): void =>
  describeNumbered(runner, {
    title: `${name} is an idempotency store`,
    promises: identityPromises,
    cases: identityCases,
    open: async () => {
      const opened = await open();
      return {
        world: identityWorld(opened),
        has: (needed) => needed === 'reopen' && opened.reopen !== undefined,
        close: () => opened.close?.(),
      };
    },
  });
