import type { ScheduleInfo } from '@tollgate/engine';
import type { OccurrenceRecord } from '@tollgate/storage';
import { exitCodes, textOption, type AdminCommand } from './command.ts';
import { idAfter, listPages } from './list-pages.ts';
import { cells, printFound, printRecords, runActions, timeText } from './run-actions.ts';

const lineOf = (schedule: ScheduleInfo): string =>
  cells(
    schedule.id,
    schedule.status.padEnd(8),
    `${schedule.schedule} ${schedule.timeZone}`,
    `next ${timeText(schedule.nextRunAtMs)}`,
    `last ${timeText(schedule.lastRunAtMs)}`,
    schedule.pausedCode,
    schedule.displayName,
  );

const runLine = (run: OccurrenceRecord): string =>
  cells(timeText(run.scheduledForMs), run.status.padEnd(10), run.operationId, run.errorCode);

const missing = (id: string): string => `there is no schedule ${id}`;

const list: AdminCommand = async (admin, input) => {
  const projectId = textOption(input, 'project');
  return printRecords(input, await listPages(input, (page) => admin.findSchedules({ ...page, projectId })), lineOf);
};

const runs: AdminCommand = async (admin, input) => {
  const id = idAfter(input, 'schedules', 'schedule');
  if ((await admin.readSchedule(id)) !== null) return printRecords(input, await admin.listScheduleRuns(id), runLine);
  input.world.complain(missing(id));
  return exitCodes.refused;
};

const switching =
  (enabled: boolean): AdminCommand =>
  async (admin, input) => {
    const id = idAfter(input, 'schedules', 'schedule');
    const found = await admin.readSchedule(id);
    const name = found === null ? null : { projectId: found.projectId, triggerId: id };
    const schedule = name === null ? null : await admin.setScheduleEnabled(name, enabled);
    return printFound(input, schedule, { lineOf, missing: missing(id) });
  };

export const schedulesCommand: AdminCommand = runActions({
  list,
  runs,
  pause: switching(false),
  resume: switching(true),
});
