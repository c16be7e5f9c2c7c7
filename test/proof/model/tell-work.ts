import type { BatchStepAnswer } from '../../../packages/engine/src/decisions/batch-step.ts';
import type { CancelAnswer } from '../../../packages/engine/src/decisions/cancel.ts';
import type { EndEarlyAnswer } from '../../../packages/engine/src/decisions/end-early.ts';
import type { EndResourceAnswer } from '../../../packages/engine/src/decisions/end-resource.ts';
import type { KeepWorkAnswer } from '../../../packages/engine/src/decisions/keep-work.ts';
import type { RetimeAnswer } from '../../../packages/engine/src/decisions/retime.ts';
import type { StartWorkAnswer } from '../../../packages/engine/src/decisions/start-work.ts';
import type { Told } from './told.ts';

export const tellStart = (answer: StartWorkAnswer): Told =>
  answer.kind === 'started' ? { text: 'begun', operation: answer.operation } : { text: 'lost' };

export const tellKeep = (answer: KeepWorkAnswer): Told =>
  answer.kind === 'kept' ? { text: 'kept', operation: answer.operation } : { text: 'lost' };

export const tellCancel = (answer: CancelAnswer): Told => {
  switch (answer.kind) {
    case 'failed':
      return { text: 'dropped', operation: answer.operation };
    case 'cancelling':
      return { text: 'cancelling', operation: answer.operation };
    case 'unchanged':
      return { text: `unchanged ${answer.operation.state}`, operation: answer.operation };
    case 'missing':
      return { text: 'missing' };
  }
};

export const tellEndResource = (answer: EndResourceAnswer): Told => {
  switch (answer.kind) {
    case 'ended':
      return { text: answer.resource.standing, operation: answer.operation };
    case 'pending':
      return { text: 'busy' };
    case 'used':
      return { text: 'stale' };
    case 'missing':
      return { text: 'missing' };
  }
};

export const tellEndEarly = (answer: EndEarlyAnswer): Told => {
  switch (answer.kind) {
    case 'ending':
      return { text: 'ending', operation: answer.operation };
    case 'pending':
      return { text: 'busy' };
    case 'used':
      return { text: 'stale' };
  }
};

export const tellRetime = (answer: RetimeAnswer): Told =>
  answer.kind === 'retimed' ? { text: 'retimed', operation: answer.operation } : { text: answer.kind };

const placeOf = (itemId: string): number => Number(itemId.slice(itemId.lastIndexOf(':') + 1));

export const tellItems = (answer: BatchStepAnswer): Told =>
  answer.kind === 'going'
    ? { text: `going ${answer.started.map(placeOf).join()} ${answer.cancelling}` }
    : { text: 'off' };
