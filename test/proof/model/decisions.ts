import { createFlight } from '@tollgate/storage';
import { decideCapture } from '../../../packages/engine/src/decisions/capture.ts';
import { decideDeposit } from '../../../packages/engine/src/decisions/deposit.ts';
import { decideDoubt } from '../../../packages/engine/src/decisions/doubt.ts';
import { decideExtend } from '../../../packages/engine/src/decisions/extend.ts';
import { decideFail } from '../../../packages/engine/src/decisions/fail.ts';
import { decideOpen } from '../../../packages/engine/src/decisions/open.ts';
import { decidePurge } from '../../../packages/engine/src/decisions/purge.ts';
import { decideRenew } from '../../../packages/engine/src/decisions/renew.ts';
import { decideSettle } from '../../../packages/engine/src/decisions/settle.ts';
import { priceOf } from '../../../packages/engine/src/tariff.ts';

/** What is on trial: the engine's decisions, its arithmetic and the flight that carries many steps; as shipped or with a fault put in. */
export interface Decisions {
  readonly open: typeof decideOpen;
  readonly extend: typeof decideExtend;
  readonly capture: typeof decideCapture;
  readonly settle: typeof decideSettle;
  readonly fail: typeof decideFail;
  readonly doubt: typeof decideDoubt;
  readonly deposit: typeof decideDeposit;
  readonly renew: typeof decideRenew;
  readonly purge: typeof decidePurge;
  readonly price: typeof priceOf;
  readonly flight: typeof createFlight;
}

export const shippingDecisions: Decisions = {
  open: decideOpen,
  extend: decideExtend,
  capture: decideCapture,
  settle: decideSettle,
  fail: decideFail,
  doubt: decideDoubt,
  deposit: decideDeposit,
  renew: decideRenew,
  purge: decidePurge,
  price: priceOf,
  flight: createFlight,
};
