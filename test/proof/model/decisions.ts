import { createFlight } from '@tollgate/storage';
import { decideBatchStep } from '../../../packages/engine/src/decisions/batch-step.ts';
import { decideCancel } from '../../../packages/engine/src/decisions/cancel.ts';
import { decideClearResource } from '../../../packages/engine/src/decisions/clear-resource.ts';
import { decideEndEarly } from '../../../packages/engine/src/decisions/end-early.ts';
import { decideEndResource } from '../../../packages/engine/src/decisions/end-resource.ts';
import { decideFadeResource } from '../../../packages/engine/src/decisions/fade-resource.ts';
import { decideKeepWork } from '../../../packages/engine/src/decisions/keep-work.ts';
import { decideTakeAccess } from '../../../packages/engine/src/decisions/live-access.ts';
import { decidePutBack } from '../../../packages/engine/src/decisions/put-back.ts';
import { decideRetime } from '../../../packages/engine/src/decisions/retime.ts';
import { decideStartWork } from '../../../packages/engine/src/decisions/start-work.ts';
import {
  decideConcludeDelivery,
  decideFanOut,
  decidePurgeDelivery,
  decideRedeliver,
} from '../../../packages/engine/src/decisions/delivery.ts';
import {
  decideChangeTrigger,
  decideConcludeOccurrence,
  decideCreateTrigger,
  decideOccur,
  decidePurgeOccurrence,
} from '../../../packages/engine/src/decisions/trigger.ts';
import { decideChangeWebhook, decideCreateWebhook } from '../../../packages/engine/src/decisions/webhook.ts';
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
  readonly items: typeof decideBatchStep;
  readonly cancel: typeof decideCancel;
  readonly clear: typeof decideClearResource;
  readonly endEarly: typeof decideEndEarly;
  readonly endResource: typeof decideEndResource;
  readonly fade: typeof decideFadeResource;
  readonly keep: typeof decideKeepWork;
  readonly takeAccess: typeof decideTakeAccess;
  readonly putBack: typeof decidePutBack;
  readonly retime: typeof decideRetime;
  readonly start: typeof decideStartWork;
  readonly concludeDelivery: typeof decideConcludeDelivery;
  readonly fanOut: typeof decideFanOut;
  readonly purgeDelivery: typeof decidePurgeDelivery;
  readonly redeliver: typeof decideRedeliver;
  readonly createWebhook: typeof decideCreateWebhook;
  readonly changeWebhook: typeof decideChangeWebhook;
  readonly createTrigger: typeof decideCreateTrigger;
  readonly changeTrigger: typeof decideChangeTrigger;
  readonly occur: typeof decideOccur;
  readonly concludeOccurrence: typeof decideConcludeOccurrence;
  readonly purgeOccurrence: typeof decidePurgeOccurrence;
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
  items: decideBatchStep,
  cancel: decideCancel,
  clear: decideClearResource,
  endEarly: decideEndEarly,
  endResource: decideEndResource,
  fade: decideFadeResource,
  keep: decideKeepWork,
  takeAccess: decideTakeAccess,
  putBack: decidePutBack,
  retime: decideRetime,
  start: decideStartWork,
  concludeDelivery: decideConcludeDelivery,
  fanOut: decideFanOut,
  purgeDelivery: decidePurgeDelivery,
  redeliver: decideRedeliver,
  createWebhook: decideCreateWebhook,
  changeWebhook: decideChangeWebhook,
  createTrigger: decideCreateTrigger,
  changeTrigger: decideChangeTrigger,
  occur: decideOccur,
  concludeOccurrence: decideConcludeOccurrence,
  purgeOccurrence: decidePurgeOccurrence,
  price: priceOf,
  flight: createFlight,
};
