import { deleteTrigger, findTrigger, listOccurrences, listTriggers, setTriggerEnabled } from '@tollgate/engine';
import type { TriggerRecord } from '@tollgate/storage';
import { pausableQueries } from '../pausable-queries.ts';
import { runBody, triggerBody } from './encode-trigger.ts';

// triggers:get:record, triggers:patch:*, triggers:delete:*
/**
 * A disabled trigger can still be read; one that is resumed runs at its next future instant
 *. What it opened goes on when it is disabled, and its history stays.
 */
export const triggerQueries = pausableQueries<TriggerRecord>({
  list: listTriggers,
  find: (engine, { id, projectId }) => findTrigger(engine, { triggerId: id, projectId }),
  setEnabled: (engine, { id, projectId }, enabled) => setTriggerEnabled(engine, { triggerId: id, projectId }, enabled),
  disable: (engine, { id, projectId }) => deleteTrigger(engine, { triggerId: id, projectId }),
  bodyOf: triggerBody,
  history: async (engine, id) => (await listOccurrences(engine, id)).map(runBody),
});
