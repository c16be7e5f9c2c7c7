import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { AdminError, foundOr404 } from '../admin-error.ts';
import { wholeList, wirePage } from '../cursor.ts';
import { requireOfProject, requireProject } from '../own.ts';
import { pageOf, pageParameters } from '../parameters.ts';
import { Id, listOf } from '../records/fields.ts';
import { Schedule, ScheduleRun } from '../records/event-records.ts';

const schedule = z.strictObject({ schedule_id: Id });

const requireSchedule = async (context: AdminContext, triggerId: string) =>
  requireOfProject(context, await context.admin.readSchedule(triggerId));

/** Schedules, which the gateway's own routes call triggers. */
export const scheduleRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'findSchedules',
    path: '/schedules',
    summary: 'List schedules with their next runs',
    role: 'owner',
    covers: ['findSchedules'],
    pathParameters: nothing,
    queryParameters: z.strictObject({ ...pageParameters, project_id: Id.exactOptional() }),
    success: {
      status: 200,
      description: 'A page of those that are not deleted, newest first.',
      schema: listOf(Schedule),
    },
    run: async (context, { query }) => {
      const { project_id: projectId } = query;
      if (projectId !== undefined) await requireProject(context, projectId);
      else if (context.caller.role === 'owner')
        throw new AdminError('invalid_request', 'The query names no project_id; accepted is one of yours.');
      return json(wirePage(await context.admin.findSchedules({ projectId, ...pageOf(query) })));
    },
  }),
  adminRoute({
    ...reads,
    id: 'readSchedule',
    path: '/schedules/{schedule_id}',
    summary: 'Read one schedule',
    role: 'owner',
    covers: ['readSchedule'],
    pathParameters: schedule,
    queryParameters: nothing,
    success: { status: 200, description: 'The schedule.', schema: Schedule },
    run: async (context, { path }) => json(await requireSchedule(context, path.schedule_id)),
  }),
  adminRoute({
    ...reads,
    id: 'listScheduleRuns',
    path: '/schedules/{schedule_id}/runs',
    summary: 'List the newest runs of a schedule',
    role: 'owner',
    covers: ['listScheduleRuns'],
    pathParameters: schedule,
    queryParameters: nothing,
    success: { status: 200, description: 'Up to a hundred.', schema: listOf(ScheduleRun) },
    run: async (context, { path }) => {
      const { id } = await requireSchedule(context, path.schedule_id);
      return json(wholeList(await context.admin.listScheduleRuns(id)));
    },
  }),
  adminRoute({
    id: 'setScheduleEnabled',
    method: 'PATCH',
    path: '/schedules/{schedule_id}',
    summary: 'Pause a schedule, or resume it at its next future run',
    role: 'owner',
    covers: ['setScheduleEnabled'],
    pathParameters: schedule,
    queryParameters: nothing,
    request: z.strictObject({ enabled: z.boolean() }),
    success: { status: 200, description: 'The schedule as it is now.', schema: Schedule },
    run: async (context, { path, body }) => {
      const { id, projectId } = await requireSchedule(context, path.schedule_id);
      return json(foundOr404(await context.admin.setScheduleEnabled({ projectId, triggerId: id }, body.enabled)));
    },
  }),
];
