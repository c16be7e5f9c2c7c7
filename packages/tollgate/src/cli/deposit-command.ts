import { randomUUID } from 'node:crypto';
import { microsFromCredits, type DepositAnswer } from '@tollgate/engine';
import {
  exitCodes,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from './command.ts';
import { walletLine } from './wallet-line.ts';

/** An amount of credits on the command line, in micro-credits. */
export const creditsOption = (input: CommandInput, name: string): bigint => {
  const text = requireOption(input, name);
  try {
    return microsFromCredits(text);
  } catch {
    throw new UsageError(`--${name} takes an amount of credits with at most six decimals`);
  }
};

/** Why a deposit was not made. */
const refusalSentences: Readonly<Record<Exclude<DepositAnswer['kind'], 'done' | 'repeated' | 'missing'>, string>> = {
  operation_of_another_account: 'refused: operation_of_another_account.',
  conflict: 'refused: conflict. This reference stands for a deposit of another amount: use another --reference.',
  insufficient: 'refused: insufficient. Free balance does not cover the amount.',
  too_large: 'refused: too_large. The balance would exceed the largest that a wallet holds.',
};

export const depositCommand: AdminCommand = async (admin, input) => {
  const accountId = requireOption(input, 'account');
  const amountMicros = creditsOption(input, 'credits');
  if (amountMicros <= 0n) throw new UsageError('--credits must be above 0');
  const reference = textOption(input, 'reference') ?? `cli:${randomUUID()}`;
  const answer = await admin.deposit({ accountId, amountMicros, reference });
  if (answer.kind !== 'done' && answer.kind !== 'repeated') {
    input.world.complain(
      answer.kind === 'missing' ? `there is no account ${accountId}` : refusalSentences[answer.kind],
    );
    return exitCodes.refused;
  }
  const wallet = await admin.readWallet(accountId);
  if (input.options['json'] === true) printJson(input.world, { kind: answer.kind, reference, wallet });
  else if (wallet !== null)
    input.world.print(`${walletLine(wallet)} (${answer.kind})\nreference ${reference}: a repeat with it adds nothing`);
  return exitCodes.done;
};
