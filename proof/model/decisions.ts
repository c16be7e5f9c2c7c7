import { createStepBatch } from '@tollgate/storage';
import { recordItems } from '../../packages/engine/src/decisions/record-items.ts';
import { cancel } from '../../packages/engine/src/decisions/cancel.ts';
import {
  clearResource,
  endEarly,
  endResource,
  fadeResource,
} from '../../packages/engine/src/decisions/end-resource.ts';
import { checkpointWork } from '../../packages/engine/src/decisions/checkpoint-work.ts';
import { takeAccess } from '../../packages/engine/src/decisions/live-access.ts';
import { putBack } from '../../packages/engine/src/decisions/put-back.ts';
import { changeTtl } from '../../packages/engine/src/decisions/change-ttl.ts';
import { startWork } from '../../packages/engine/src/decisions/start-work.ts';
import {
  concludeDelivery,
  fanOut,
  purgeDelivery,
  redeliverStep,
} from '../../packages/engine/src/decisions/delivery.ts';
import {
  changeTrigger,
  concludeOccurrence,
  createTriggerStep,
  occur,
  purgeOccurrence,
} from '../../packages/engine/src/decisions/trigger.ts';
import { changeWebhook, createWebhookStep } from '../../packages/engine/src/decisions/webhook.ts';
import { capture } from '../../packages/engine/src/decisions/capture.ts';
import { collectDebt, depositStep } from '../../packages/engine/src/decisions/deposit.ts';
import { markUncertainStep } from '../../packages/engine/src/decisions/mark-uncertain.ts';
import { extend } from '../../packages/engine/src/decisions/extend.ts';
import { fail } from '../../packages/engine/src/decisions/fail.ts';
import { open } from '../../packages/engine/src/decisions/open.ts';
import { notePaymentStep } from '../../packages/engine/src/decisions/payment.ts';
import { purge } from '../../packages/engine/src/decisions/purge.ts';
import { renew } from '../../packages/engine/src/decisions/renew.ts';
import { rollUpUsage } from '../../packages/engine/src/decisions/roll-up-usage.ts';
import { settle } from '../../packages/engine/src/decisions/settle.ts';
import { isSameVerdict, judgeVerdict } from '../../packages/engine/src/decisions/verdict.ts';
import { picosOfAllItems } from '../../packages/engine/src/ledger/operation-prices.ts';
import { raisedHold } from '../../packages/engine/src/ledger/hold.ts';
import { chargeOf, priceOf } from '../../packages/engine/src/ledger/price-usage.ts';
import { findHoldPrices, findPrices } from '../../packages/engine/src/ledger/tariff.ts';

/** What is on trial: the engine's decisions, its arithmetic and the batch that carries many steps; as shipped or with a fault put in. */
export interface Decisions {
  readonly open: typeof open;
  readonly extend: typeof extend;
  readonly capture: typeof capture;
  readonly settle: typeof settle;
  readonly fail: typeof fail;
  readonly doubt: typeof markUncertainStep;
  readonly deposit: typeof depositStep;
  readonly pay: typeof notePaymentStep;
  readonly collect: typeof collectDebt;
  readonly rollUp: typeof rollUpUsage;
  readonly renew: typeof renew;
  readonly purge: typeof purge;
  readonly items: typeof recordItems;
  readonly cancel: typeof cancel;
  readonly clear: typeof clearResource;
  readonly endEarly: typeof endEarly;
  readonly endResource: typeof endResource;
  readonly fade: typeof fadeResource;
  readonly keep: typeof checkpointWork;
  readonly takeAccess: typeof takeAccess;
  readonly putBack: typeof putBack;
  readonly changeTtl: typeof changeTtl;
  readonly start: typeof startWork;
  readonly concludeDelivery: typeof concludeDelivery;
  readonly fanOut: typeof fanOut;
  readonly purgeDelivery: typeof purgeDelivery;
  readonly redeliver: typeof redeliverStep;
  readonly createWebhook: typeof createWebhookStep;
  readonly changeWebhook: typeof changeWebhook;
  readonly createTrigger: typeof createTriggerStep;
  readonly changeTrigger: typeof changeTrigger;
  readonly occur: typeof occur;
  readonly concludeOccurrence: typeof concludeOccurrence;
  readonly purgeOccurrence: typeof purgeOccurrence;
  readonly judge: typeof judgeVerdict;
  readonly sameVerdict: typeof isSameVerdict;
  readonly price: typeof priceOf;
  readonly charge: typeof chargeOf;
  readonly findPrices: typeof findPrices;
  readonly findHoldPrices: typeof findHoldPrices;
  readonly raiseHold: typeof raisedHold;
  readonly priceAllItems: typeof picosOfAllItems;
  readonly stepBatch: typeof createStepBatch;
}

export const shippingDecisions: Decisions = {
  open: open,
  extend: extend,
  capture: capture,
  settle: settle,
  fail: fail,
  doubt: markUncertainStep,
  deposit: depositStep,
  pay: notePaymentStep,
  collect: collectDebt,
  rollUp: rollUpUsage,
  renew: renew,
  purge: purge,
  items: recordItems,
  cancel: cancel,
  clear: clearResource,
  endEarly: endEarly,
  endResource: endResource,
  fade: fadeResource,
  keep: checkpointWork,
  takeAccess: takeAccess,
  putBack: putBack,
  changeTtl: changeTtl,
  start: startWork,
  concludeDelivery: concludeDelivery,
  fanOut: fanOut,
  purgeDelivery: purgeDelivery,
  redeliver: redeliverStep,
  createWebhook: createWebhookStep,
  changeWebhook: changeWebhook,
  createTrigger: createTriggerStep,
  changeTrigger: changeTrigger,
  occur: occur,
  concludeOccurrence: concludeOccurrence,
  purgeOccurrence: purgeOccurrence,
  judge: judgeVerdict,
  sameVerdict: isSameVerdict,
  price: priceOf,
  charge: chargeOf,
  findPrices: findPrices,
  findHoldPrices: findHoldPrices,
  raiseHold: raisedHold,
  priceAllItems: picosOfAllItems,
  stepBatch: createStepBatch,
};
