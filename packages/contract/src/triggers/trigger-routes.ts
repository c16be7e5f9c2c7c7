import { z } from 'zod';
import { limits } from '../limits.ts';
import type { Route } from '../http/route.ts';
import { EnabledPatchBody } from '../http/enabled-patch.ts';
import { Trigger, TriggerList, TriggerRunList } from './trigger-record.ts';
import { TriggerRequestBody } from './trigger-request.ts';

const json = (description: string, schema: z.ZodType): Route['success'] => ({
  description,
  contents: { 'application/json': () => schema },
});

const byId = z.object({ id: z.uuid() });
const all = { errorForm: 'object', charged: false, takesIdentity: false } as const;
const query = { ...all, method: 'GET', family: null, bodyBytesMax: null, request: null } as const;

// triggers:routes:statuses
/** Every route of triggers. What a trigger opens is charged, the trigger is not. */
export const triggerRoutes = [
  {
    ...all,
    id: 'createTrigger',
    method: 'POST',
    path: '/triggers',
    summary: 'Open an interaction at set times',
    family: 'interactions',
    bodyBytesMax: limits.bodyBytesMax.triggers,
    pathParameters: null,
    request: TriggerRequestBody,
    success: json('The trigger with the time of its first run.', Trigger),
    statuses: [200, 400, 401, 402, 403, 404, 413, 422, 429, 503],
  },
  {
    ...query,
    id: 'listTriggers',
    path: '/triggers',
    summary: 'List the triggers of the project',
    pathParameters: null,
    success: json('At most 100 triggers, the newest first, paused ones too.', TriggerList),
    statuses: [200, 401, 402, 403, 429, 503],
  },
  {
    ...query,
    id: 'getTrigger',
    path: '/triggers/{id}',
    summary: 'Query one trigger',
    pathParameters: byId,
    success: json('The trigger.', Trigger),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
  {
    ...all,
    id: 'patchTrigger',
    method: 'PATCH',
    path: '/triggers/{id}',
    summary: 'Pause or resume one trigger',
    family: null,
    bodyBytesMax: limits.bodyBytesMax.other,
    pathParameters: byId,
    request: EnabledPatchBody,
    success: json('The trigger as changed.', Trigger),
    statuses: [200, 400, 401, 402, 403, 404, 413, 422, 429, 503],
  },
  {
    ...query,
    id: 'deleteTrigger',
    method: 'DELETE',
    path: '/triggers/{id}',
    summary: 'Disable one trigger for good',
    pathParameters: byId,
    success: json('The trigger as disabled.', Trigger),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
  {
    ...query,
    id: 'listTriggerRuns',
    path: '/triggers/{id}/runs',
    summary: 'List the runs of one trigger',
    pathParameters: byId,
    success: json('At most 100 runs, the newest first.', TriggerRunList),
    statuses: [200, 401, 402, 403, 404, 429, 503],
  },
] as const satisfies readonly Route[];
