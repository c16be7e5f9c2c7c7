import type { RecordItemsAnswer } from '../../packages/engine/src/decisions/record-items.ts';
import type { CancelAnswer } from '../../packages/engine/src/decisions/cancel.ts';
import type { EndEarlyAnswer, EndResourceAnswer } from '../../packages/engine/src/decisions/end-resource.ts';
import type { CheckpointWorkAnswer } from '../../packages/engine/src/decisions/checkpoint-work.ts';
import type { ChangeTtlAnswer } from '../../packages/engine/src/decisions/change-ttl.ts';
import type { StartWorkAnswer } from '../../packages/engine/src/decisions/start-work.ts';
import type { Told } from './told.ts';

export const tellStart = (answer: StartWorkAnswer): Told =>
  answer.kind === 'started' ? { text: 'begun', operation: answer.operation } : { text: 'lost' };

export const tellKeep = (answer: CheckpointWorkAnswer): Told =>
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
      return { text: answer.resource.availability, operation: answer.operation };
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

export const tellChangeTtl = (answer: ChangeTtlAnswer): Told =>
  answer.kind === 'ttl_changed' ? { text: 'ttl_changed', operation: answer.operation } : { text: answer.kind };

const placeOf = (itemId: string): number => Number(itemId.slice(itemId.lastIndexOf(':') + 1));

export const tellItems = (answer: RecordItemsAnswer): Told =>
  answer.kind === 'going'
    ? { text: `going ${answer.started.map(placeOf).join()} ${answer.cancelling}` }
    : { text: 'off' };
