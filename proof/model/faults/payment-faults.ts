import { paymentTheme } from '../payment-theme.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

export const paymentFaults: readonly Fault[] = [
  {
    name: 'credits a payment again with each of its events',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    seenAt: 'business: one payment, ten deliveries of four event ids, credited three times by event id',
    put: (real) => ({ pay: (command) => blur(real.pay(command), 'deposit', () => undefined) }),
  },
  {
    name: 'lets a late notice undo a newer refund',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    put: (real) => ({
      pay: (command) => blur(real.pay(command), 'payment', (known) => known && { ...known, version: -1 }),
    }),
  },
  {
    name: 'takes a cumulative refund as if it were a new one',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    put: (real) => ({
      pay: (command) =>
        blur(real.pay(command), 'payment', (known) => known && { ...known, backMicros: 0n, takenMicros: 0n }),
    }),
  },
  {
    name: 'forgets a refund that comes before its deposit',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    put: (real) => ({
      pay: (command) => ({
        keys: real.pay(command).keys,
        decide: (records, nowMs) => {
          const first = records.get('payment', command.reference) === undefined;
          return real.pay(first ? { ...command, backMicros: 0n } : command).decide(records, nowMs);
        },
      }),
    }),
  },
  {
    name: 'takes what the host bore from later credits',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    put: (real) => ({
      pay: (command) =>
        blur(real.pay(command), 'payment', (known) => known && { ...known, backMicros: known.takenMicros }),
    }),
  },
  {
    name: 'credits one payment to two accounts',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    put: (real) => ({
      pay: (command) =>
        blur(real.pay(command), 'payment', (known) => (known?.accountId === command.accountId ? known : undefined)),
    }),
  },
  {
    name: 'forgets what is owed',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    put: (real) => ({
      pay: (command) =>
        amend(real.pay(command), ({ writes, answer }) => ({
          writes: without(writes, ({ table }) => table === 'debt'),
          answer,
        })),
    }),
  },
  {
    name: 'collects a debt twice',
    caughtBy: 'answers_as_the_model',
    theme: paymentTheme,
    put: (real) => ({
      collect: (accountId) =>
        amend(real.collect(accountId), ({ writes, answer }, records) => ({
          writes: rewrite(writes, 'debt', (debt) => records.get('debt', accountId) ?? debt),
          answer,
        })),
    }),
  },
];
