import type { OperationRecord, WalletRecord } from '@tollgate/storage';
import type { CaptureAnswer } from '../../packages/engine/src/decisions/capture.ts';
import type { CollectAnswer, DepositAnswer } from '../../packages/engine/src/decisions/deposit.ts';
import type { MarkUncertainAnswer } from '../../packages/engine/src/decisions/mark-uncertain.ts';
import type { ExtendAnswer } from '../../packages/engine/src/decisions/extend.ts';
import type { FailAnswer } from '../../packages/engine/src/decisions/fail.ts';
import type { OpenAnswer, SpendElsewhere } from '../../packages/engine/src/decisions/open.ts';
import type { PaymentAnswer } from '../../packages/engine/src/decisions/payment.ts';
import type { SettleAnswer } from '../../packages/engine/src/decisions/settle.ts';

/** An answer as one line, in the words of the reference model, and the records that it shows. */
export interface Told {
  readonly text: string;
  readonly operation?: OperationRecord;
  readonly wallet?: WalletRecord;
}

export const tellOpen = (answer: OpenAnswer | SpendElsewhere): Told => {
  switch (answer.kind) {
    case 'started':
      return { text: `started ${answer.walletSeq}`, operation: answer.operation };
    case 'known':
    case 'conflict':
      return { text: `${answer.kind} ${answer.operationId}` };
    case 'insufficient':
      return { text: `insufficient ${answer.availableMicros} ${answer.walletSeq}` };
    case 'refused':
      return { text: `refused ${answer.code}` };
    case 'elsewhere':
      return { text: `elsewhere ${answer.keySpend}` };
  }
};

export const tellExtend = (answer: ExtendAnswer): Told => {
  switch (answer.kind) {
    case 'extended':
      return { text: `extended ${answer.walletSeq}`, operation: answer.operation };
    case 'insufficient':
      return { text: `insufficient ${answer.walletSeq}` };
    case 'ended':
      return { text: 'ended' };
  }
};

export const tellCapture = (answer: CaptureAnswer): Told =>
  answer.kind === 'captured'
    ? { text: `captured ${answer.walletSeq}`, operation: answer.operation }
    : { text: answer.kind };

export const tellSettle = (answer: SettleAnswer): Told => {
  switch (answer.kind) {
    case 'settled':
    case 'pending':
      return { text: `${answer.kind} ${answer.walletSeq}`, operation: answer.operation };
    case 'ended':
      return { text: `ended ${answer.operation.state}`, operation: answer.operation };
    case 'missing':
      return { text: 'missing' };
  }
};

export const tellFail = (answer: FailAnswer): Told => {
  switch (answer.kind) {
    case 'failed':
      return { text: `failed ${answer.walletSeq}`, operation: answer.operation };
    case 'captured':
    case 'lost':
      return { text: answer.kind, operation: answer.operation };
    case 'ended':
      return { text: `ended ${answer.operation.state}`, operation: answer.operation };
    case 'missing':
      return { text: 'missing' };
  }
};

export const tellUncertain = (answer: MarkUncertainAnswer): Told => {
  switch (answer.kind) {
    case 'uncertain':
      return { text: 'uncertain', operation: answer.operation };
    case 'ended':
      return { text: `ended ${answer.operation.state}`, operation: answer.operation };
    case 'alive':
    case 'missing':
      return { text: answer.kind };
  }
};

/** An account's wallet and debt, as every answer about its funds tells them. */
const fundsText = ({ wallet, owedMicros }: { readonly wallet: WalletRecord; readonly owedMicros: bigint }): string =>
  `${wallet.seq} ${wallet.balanceMicros} ${owedMicros}`;

export const tellPayment = (answer: PaymentAnswer): Told => {
  switch (answer.kind) {
    case 'done':
      return { text: `done ${fundsText(answer)} ${answer.payment.takenMicros}`, wallet: answer.wallet };
    case 'repeated':
      return { text: `repeated ${fundsText(answer)}`, wallet: answer.wallet };
    case 'conflict':
    case 'too_large':
    case 'missing':
      return { text: answer.kind };
  }
};

export const tellCollect = (answer: CollectAnswer): Told =>
  answer.kind === 'done' ? { text: `collected ${fundsText(answer)}`, wallet: answer.wallet } : { text: answer.kind };

export const tellDeposit = (answer: DepositAnswer): Told => {
  switch (answer.kind) {
    case 'done':
    case 'repeated':
      return { text: `${answer.kind} ${fundsText(answer)}`, wallet: answer.wallet };
    case 'insufficient':
      return { text: `${answer.kind} ${answer.wallet.seq} ${answer.wallet.balanceMicros}`, wallet: answer.wallet };
    case 'operation_of_another_account':
    case 'conflict':
    case 'too_large':
    case 'missing':
      return { text: answer.kind };
  }
};
