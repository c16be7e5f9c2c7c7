export { CronSyntaxError, parseCron, scheduleCharsMax, type CronRefusal, type CronSchedule } from './cron-schedule.ts';
export { nextRun } from './next-run.ts';
export { isTimeZone } from './time-zone.ts';
