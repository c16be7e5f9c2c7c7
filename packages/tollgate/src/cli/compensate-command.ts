import { randomUUID } from 'node:crypto';
import type { DepositAnswer } from '@tollgate/engine';
import { creditsOption } from './deposit-command.ts';
import {
  exitCodes,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from './command.ts';
import { wordOption } from './list-pages.ts';
import { walletLine } from './wallet-line.ts';

/** What is given, or taken where it is below zero: one of two options, so that no sign is overlooked. */
const amountOf = (input: CommandInput): bigint => {
  const named = (['give', 'take'] as const).filter((name) => textOption(input, name) !== undefined);
  const [name] = named;
  if (name === undefined || named.length > 1) throw new UsageError('one of --give and --take is needed');
  const amountMicros = creditsOption(input, name);
  if (amountMicros <= 0n) throw new UsageError(`--${name} must be above 0`);
  return name === 'give' ? amountMicros : -amountMicros;
};

/** Why a balance was not corrected. */
const refusalSentences: Readonly<Record<Exclude<DepositAnswer['kind'], 'done' | 'repeated' | 'missing'>, string>> = {
  operation_of_another_account: 'refused: operation_of_another_account. The operation belongs to another account.',
  conflict: 'refused: conflict. This reference stands for another amount: use another --reference.',
  insufficient:
    'refused: insufficient. The free balance does not cover the amount; --shortfall owe lets the account owe the rest, --shortfall forgive leaves it.',
  too_large: 'refused: too_large. The balance would exceed the largest that a wallet holds.',
};

/** Corrects a balance by an entry, up or down. */
export const compensateCommand: AdminCommand = async (admin, input) => {
  const accountId = requireOption(input, 'account');
  const amountMicros = amountOf(input);
  const reference = textOption(input, 'reference') ?? `cli:${randomUUID()}`;
  const operationId = textOption(input, 'operation');
  const shortfall = wordOption(input, 'shortfall', ['refuse', 'owe', 'forgive']);
  const answer = await admin.compensate({ accountId, amountMicros, reference, operationId, shortfall });
  if (answer.kind !== 'done' && answer.kind !== 'repeated') {
    input.world.complain(
      answer.kind === 'missing' ? `there is no account ${accountId}` : refusalSentences[answer.kind],
    );
    return exitCodes.refused;
  }
  const wallet = await admin.readWallet(accountId);
  if (input.options['json'] === true) printJson(input.world, { kind: answer.kind, reference, wallet });
  else if (wallet !== null)
    input.world.print(
      `${walletLine(wallet)} (${answer.kind})\nreference ${reference}: a repeat with it changes nothing`,
    );
  return exitCodes.done;
};
