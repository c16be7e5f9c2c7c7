import { nullable, number, oneOf, optionsCheck, required, text, whole } from '@tollgate/contract/configuration';
import type { IndexCursor } from '@tollgate/storage';
import { argument, optionalArgument, type ArgumentCheck } from '../administration/argument-check.ts';
import { microsCheck } from '../administration/micros-check.ts';
import type { OrderPaymentCommand } from '../decisions/pay-order.ts';
import type { PaymentCommand } from '../decisions/payment.ts';
import type { OrderCommand } from '../decisions/payment-order.ts';
import type { TopUpCommand, TopUpRefusal } from '../decisions/top-up.ts';
import { microsMax } from '../ledger/micros.ts';
import type { LinkInput } from './links.ts';

const charsAtMost = (charsMax: number) => text({ charsMax, accepted: `is a text of 1 to ${charsMax} characters` });

const accountId = required(text());
const reference = charsAtMost(200);
const notice = required(charsAtMost(300));
const range = `and at most ${microsMax} (1,000,000,000 credits)`;
const creditMicros = required(microsCheck((value) => value > 0n && value <= microsMax, `, above 0 ${range}`));
const notNegative = required(microsCheck((value) => value >= 0n && value <= microsMax, `, not negative ${range}`));
const shortfall = required(oneOf<PaymentCommand['shortfall']>('owe', 'forgive'));
const currency = required(text({ charsMax: 3, accepted: 'is a currency of three letters' }));
const version = required(whole());
const price = required(whole({ min: 1 }));

const payment = optionsCheck<PaymentCommand>({
  accountId,
  reference: required(reference),
  creditMicros,
  backMicros: notNegative,
  version,
  notice,
  shortfall,
});

const order = optionsCheck<OrderCommand>({
  accountId,
  reference: required(reference),
  product: required(reference),
  creditMicros,
  price,
  currency,
});

const orderPayment = optionsCheck<OrderPaymentCommand>({
  accountId,
  orderId: required(text()),
  paymentId: required(reference),
  paid: required(whole()),
  back: required(whole()),
  currency,
  version,
  notice,
  shortfall,
});

const topUp = optionsCheck<TopUpCommand>({
  accountId,
  product: required(reference),
  creditMicros,
  price,
  currency,
  belowMicros: notNegative,
  monthPriceMax: required(whole()),
});

const topUpRefusal = optionsCheck<TopUpRefusal>({
  accountId,
  orderId: required(text()),
  price: required(whole()),
  stoppedBy: required(nullable(reference)),
});

const linkName = charsAtMost(64);

const link = optionsCheck<LinkInput>({
  accountId,
  name: required(linkName),
  value: required(charsAtMost(1000)),
  replaces: text(),
});

const cursor = optionsCheck<IndexCursor>({ order: required(number()), id: required(text()) });
const id = (name: string): ArgumentCheck => argument(name, text());

/** The arguments of every method of `createPayments`. */
export const paymentChecks = {
  openOrder: [argument('', order)],
  readOrder: [id('accountId'), argument('reference', reference)],
  readOrderById: [id('orderId')],
  notePayment: [argument('', payment)],
  payOrder: [argument('', orderPayment)],
  readPayment: [id('paymentId')],
  listPayments: [optionalArgument('after', cursor)],
  collectDebt: [id('accountId')],
  readDebt: [id('accountId')],
  beginTopUp: [argument('', topUp)],
  refuseTopUp: [argument('', topUpRefusal)],
  allowTopUp: [id('accountId')],
  readTopUp: [id('accountId')],
  linkAccount: [argument('', link)],
  readLink: [id('accountId'), argument('name', linkName)],
} as const satisfies Readonly<Record<string, readonly ArgumentCheck[]>>;
