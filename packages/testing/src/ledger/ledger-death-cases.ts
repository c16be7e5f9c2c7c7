import assert from 'node:assert/strict';
import type { CreditLedger } from '@tollgate/storage';
import { accountId, amount, named, type LedgerCase, type LedgerWorld } from './ledger-world.ts';

/** A command, what it returns, and what is free of a hundred after it where six were set aside before. */
interface CutCommand {
  readonly send: (ledger: CreditLedger, operationId: string) => Promise<string>;
  readonly answer: string;
  readonly free: bigint;
  /** Whether the operation was reserved before. */
  readonly reserved: boolean;
}

const commands: readonly CutCommand[] = [
  { send: (ledger, id) => ledger.reserve(amount(6n, id)), answer: 'reserved', free: 94n, reserved: false },
  { send: (ledger, id) => ledger.extend(amount(9n, id)), answer: 'extended', free: 91n, reserved: true },
  { send: (ledger, id) => ledger.settle(amount(4n, id)), answer: 'settled', free: 96n, reserved: true },
  // What exceeds the hold is taken from free balance in the same command.
  { send: (ledger, id) => ledger.settle(amount(9n, id)), answer: 'settled', free: 91n, reserved: true },
  { send: (ledger, id) => ledger.release(named(id)), answer: 'released', free: 100n, reserved: true },
  { send: (ledger, id) => ledger.release(named(id)), answer: 'released', free: 100n, reserved: false },
];

const survives = async (
  { ledger, other, deposit, die, assertFree }: LedgerWorld,
  command: CutCommand,
  round: number,
): Promise<void> => {
  const operationId = `${command.answer}-${command.free}-${command.reserved}-${round}`;
  await deposit(operationId, 100n);
  const through = (one: CreditLedger): CreditLedger => ({
    reserve: (asked) => one.reserve({ ...asked, accountId: operationId }),
    extend: (asked) => one.extend({ ...asked, accountId: operationId }),
    settle: (asked) => one.settle({ ...asked, accountId: operationId }),
    release: (asked) => one.release({ ...asked, accountId: operationId }),
  });
  if (command.reserved) await through(ledger).reserve(amount(6n, operationId));
  const died = await die();
  const [first] = await Promise.allSettled([command.send(through(ledger), operationId)]);
  assert.ok(died(), 'the hook has cut nothing off: nothing was proved');
  if (first.status === 'fulfilled') assert.equal(first.value, command.answer);
  const later = await other();
  for (let repeat = 0; repeat < 2; repeat += 1)
    assert.equal(
      await command.send(through(later), operationId),
      command.answer,
      `repeated after the death, to be ${command.answer}`,
    );
  await assertFree(command.free, operationId, later);
};

export const ledgerDeathCases: readonly LedgerCase[] = [
  {
    promise: 'L14',
    name: 'does as a whole, or not at all, what was cut off, and once what is repeated',
    needs: 'die',
    run: async (world) => {
      for (const command of commands) await survives(world, command, 0);
      // Where a database cuts off by turns before and after the effect, each command gets both.
      for (const command of commands.toReversed()) await survives(world, command, 1);
      await world.assertFree(0n, accountId, await world.other());
    },
  },
];
