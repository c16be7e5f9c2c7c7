import type { Key, TriggerRecord } from '@tollgate/storage';
import { usageChange, usageKey, usageOfTrigger, usageWrites } from './quotas.ts';
import type { Step } from './step.ts';
import { triggerBlobKey } from './trigger-interaction.ts';

const clearTriggerKeys = ({ id, projectId }: TriggerRecord): readonly Key[] => [
  { table: 'trigger', id },
  { table: 'pendingBlob', id: triggerBlobKey(id) },
  usageKey(projectId),
];

/** Leaves the interaction of a deleted schedule to the sweep, which counts no more. */
export const clearTrigger = (claimed: TriggerRecord): Step<boolean> => ({
  keys: clearTriggerKeys(claimed),
  decide: (records, nowMs) => {
    const trigger = records.get('trigger', claimed.id);
    if (trigger?.status !== 'disabled' || trigger.owner !== claimed.owner) return { writes: [], answer: false };
    const record: TriggerRecord = { ...trigger, keptBytes: null, owner: null, dueAtMs: null };
    const change = usageChange(usageOfTrigger(trigger), usageOfTrigger(record));
    const blob = { id: triggerBlobKey(trigger.id), owner: null, dueAtMs: nowMs };
    return {
      writes: [
        { kind: 'put', table: 'trigger', record },
        { kind: 'put', table: 'pendingBlob', record: blob },
        ...usageWrites(records, trigger.projectId, change),
      ],
      answer: true,
    };
  },
});
