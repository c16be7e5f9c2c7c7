import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reportOnWeekdays } from '../docs/snippets/triggers.ts';
import { nextRun, parseCron } from '../packages/cron/src/index.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import { createGateway, silentLogger } from '../packages/tollgate/src/index.ts';

const page = fileURLToPath(new URL('../docs/triggers.md', import.meta.url));

/** Days on which clocks change, and what is scheduled on them. */
const days = [
  ['America/New_York', '2026-03-08', '30 2 * * *'],
  ['America/New_York', '2026-03-08', '*/30 2 * * *'],
  ['America/New_York', '2026-03-08', '*/30 1-3 * * *'],
  ['America/New_York', '2026-11-01', '30 1 * * *'],
  ['America/New_York', '2026-11-01', '*/30 1 * * *'],
  ['Europe/Lisbon', '2026-03-29', '30 1 * * *'],
  ['Europe/Lisbon', '2026-10-25', '30 1 * * *'],
  ['Australia/Lord_Howe', '2026-10-04', '15 2 * * *'],
  ['Australia/Lord_Howe', '2026-04-05', '45 1 * * *'],
  ['Africa/Cairo', '2026-04-24', '0 0 * * *'],
  ['America/Santiago', '2026-09-06', '0 0 * * *'],
  ['America/Sao_Paulo', '2018-11-04', '0 0 * * *'],
  ['Pacific/Apia', '2011-12-30', '0 9 * * *'],
] as const;

const dayMs = 24 * 3_600_000;
const offsetMsMax = 16 * 3_600_000;

const dateIn = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms);

const timeIn = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short', hourCycle: 'h23' }).format(ms);

/** The instants of a local day, by the clocks of the place and by UTC. */
const runsOf = (timeZone: string, day: string, schedule: string): string => {
  const parsed = parseCron(schedule);
  const runs: string[] = [];
  const fromMs = Date.parse(`${day}T00:00:00Z`) - offsetMsMax;
  for (let at = nextRun(parsed, timeZone, fromMs); at !== null && at < fromMs + dayMs + 2 * offsetMsMax;) {
    if (dateIn(timeZone, at) === day)
      runs.push(`${timeIn(timeZone, at)} (${new Date(at).toISOString().slice(11, 16)} UTC)`);
    at = nextRun(parsed, timeZone, at);
  }
  return runs.length === 0 ? 'none' : runs.join(', ');
};

test('the page of triggers lists what runs on days on which clocks change [triggers:schedule:dst]', async () => {
  const rows = (await readFile(page, 'utf8'))
    .split('\n')
    .filter((line) => /^\| [A-Z][a-z]+\//.test(line))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(
    days.map(([timeZone, day, schedule]) => [timeZone, day, `\`${schedule}\``, runsOf(timeZone, day, schedule)]),
  );
});

test('the trigger of the page is created for the next weekday', async () => {
  const gateway = await createGateway({
    storage: memoryStorage({ now: () => Date.UTC(2026, 10, 20, 12) }),
    logger: silentLogger,
    webhooks: false,
  });
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Page' });
  const project = await gateway.admin.createProject({ accountId, name: 'Page' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  const target = { baseUrl: 'http://gateway.test/api/v1/ai', key: key?.key ?? '', fetch: gateway.fetch };
  expect(await reportOnWeekdays(target)).toMatchObject({ next_run_at: '2026-11-23T09:00:00.000Z' });
  await gateway.close();
});
