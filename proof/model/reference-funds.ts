import type { MoneyBody } from './command.ts';
import { accountOf, freeOf, type Model } from './model.ts';

const ceiling = 10 ** 15;

type Of<K extends MoneyBody['kind']> = Extract<MoneyBody, { readonly kind: K }>;

const post = (model: Model, accountId: string, amount: number): void => {
  const account = accountOf(model, accountId);
  account.balance += amount;
  account.entries += 1;
};

const fundsText = (model: Model, accountId: string): string => {
  const { seq, balance, owed } = accountOf(model, accountId);
  return `${seq} ${balance} ${owed}`;
};

/** Returns whether something was paid. */
const payDebt = (model: Model, accountId: string): boolean => {
  const account = accountOf(model, accountId);
  const paid = Math.min(account.owed, freeOf(model, accountId));
  if (paid <= 0) return false;
  account.owed -= paid;
  post(model, accountId, -paid);
  return true;
};

const give = (model: Model, accountId: string, amount: number): void => {
  post(model, accountId, amount);
  payDebt(model, accountId);
};

/** Returns what was really taken. */
const take = (model: Model, accountId: string, amount: number, shortfall: 'owe' | 'forgive'): number => {
  const taken = Math.min(amount, freeOf(model, accountId));
  if (taken > 0) post(model, accountId, -taken);
  if (shortfall === 'owe') accountOf(model, accountId).owed += amount - taken;
  return taken;
};

export const deposit = (model: Model, body: Of<'deposit' | 'compensate'>): string => {
  const { kind, accountId, amount, reference, shortfall } = body;
  const account = accountOf(model, accountId);
  const earlier = account.deposits.get(reference);
  if (earlier !== undefined) return earlier === amount ? `repeated ${fundsText(model, accountId)}` : 'conflict';
  if (kind === 'compensate' && shortfall === undefined && -amount > freeOf(model, accountId))
    return `insufficient ${account.seq} ${account.balance}`;
  // A debt is paid before it is seen how high the balance is.
  if (account.balance + amount - Math.min(account.owed, freeOf(model, accountId) + amount) > ceiling)
    return 'too_large';
  if (amount >= 0) give(model, accountId, amount);
  else take(model, accountId, -amount, shortfall ?? 'owe');
  account.seq += 1;
  account.deposits.set(reference, amount);
  return `done ${fundsText(model, accountId)}`;
};

export const pay = (model: Model, body: Of<'pay'>): string => {
  const { accountId, reference, amount, back, version, shortfall } = body;
  const account = accountOf(model, accountId);
  const before = model.payments.get(reference);
  const deposited = account.deposits.get(reference);
  if (deposited !== undefined && deposited !== amount) return 'conflict';
  if (before !== undefined && (before.accountId !== accountId || before.credited !== amount)) return 'conflict';
  if (before !== undefined && before.version >= version) return `repeated ${fundsText(model, accountId)}`;
  const { balance, entries, owed } = account;
  const refuse = (): string => {
    Object.assign(account, { balance, entries, owed });
    return 'too_large';
  };
  if (deposited === undefined) give(model, accountId, amount);
  if (account.balance > ceiling) return refuse();
  const due = Math.min(back, amount);
  let taken = before?.taken ?? 0;
  const more = due - (before?.back ?? 0);
  if (more > 0) {
    const really = take(model, accountId, more, shortfall);
    taken += shortfall === 'owe' ? more : really;
  } else if (due < taken) {
    give(model, accountId, taken - due);
    taken = due;
  }
  if (account.balance > ceiling) return refuse();
  account.deposits.set(reference, amount);
  model.payments.set(reference, { accountId, credited: amount, back: due, taken, version });
  account.seq += 1;
  return `done ${fundsText(model, accountId)} ${taken}`;
};

export const collect = (model: Model, accountId: string): string => {
  if (!payDebt(model, accountId)) return 'none';
  accountOf(model, accountId).seq += 1;
  return `collected ${fundsText(model, accountId)}`;
};
