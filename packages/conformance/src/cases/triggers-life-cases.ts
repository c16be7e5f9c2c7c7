import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Json } from '../wire/json.ts';
import { remove } from './made-resource.ts';
import { path, created } from './trigger-ask.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The second Sunday of March. */
const secondSundayOfMarch = (year: number): Date => {
  const first = new Date(Date.UTC(year, 2, 1));
  const sunday = 1 + ((7 - first.getUTCDay()) % 7);
  return new Date(Date.UTC(year, 2, sunday + 7));
};

/** The beginning, in UTC, of the next day on which clocks of New York go forward. */
const nextGap = (now: Date): Date => {
  const year = now.getUTCFullYear();
  return secondSundayOfMarch(year).getTime() > now.getTime() + dayMs
    ? secondSundayOfMarch(year)
    : secondSundayOfMarch(year + 1);
};

export const triggersLifeCases: readonly ConformanceCase[] = [
  conformanceCase(
    'pauses, goes on and ends',
    {
      rules: [
        'triggers:patch:enabled',
        'triggers:patch:pause',
        'triggers:patch:resume',
        'triggers:delete:disables',
        'triggers:delete:final',
      ],
    },
    async (kit) => {
      const one = `${path}/${(await created(kit, 'triggers:patch:enabled')).at('id').text()}`;
      const patch = (body: object) => kit.send({ method: 'PATCH', path: one, body });
      for (const body of [{}, { enabled: 'x' }, { enabled: true, schedule: '0 9 * * *' }])
        kit.refused('triggers:patch:enabled', await patch(body), 422);
      const paused = kit.taken('triggers:patch:pause', await patch({ enabled: false }));
      kit.fields('triggers:patch:pause', paused, { enabled: false, next_run_at: null });
      const resumed = kit.taken('triggers:patch:resume', await patch({ enabled: true }));
      kit.fields('triggers:patch:resume', resumed, { enabled: true });
      const next = resumed.at('next_run_at').text();
      kit.holds('triggers:patch:resume', Date.parse(next) > Date.now(), `next_run_at is ${next}`);
      const deleted = kit.taken('triggers:delete:disables', await kit.send({ method: 'DELETE', path: one }));
      kit.fields('triggers:delete:disables', deleted, { enabled: false, next_run_at: null });
      const runs = await kit.send({ path: `${one}/runs` });
      kit.same('triggers:delete:disables', runs.status, 200, 'the status of its runs');
      kit.refused('triggers:delete:final', await patch({ enabled: true }), 404);
    },
  ),
  conformanceCase(
    'opens an interaction at its time',
    {
      charges: 1,
      rules: [
        'triggers:run:opens-interaction',
        'triggers:run:record',
        'triggers:run:precision',
        'ledger:charged:trigger-occurrences',
      ],
      needs: ['chat', 'slow'],
    },
    async (kit) => {
      const one = `${path}/${(await created(kit, 'triggers:run:opens-interaction', { schedule: '* * * * *' })).at('id').text()}`;
      let run: Json | undefined;
      for (let waited = 0; waited < 100_000; waited += 1_000) {
        const { json } = await kit.send({ path: `${one}/runs` });
        run = json
          .at('data')
          .list()
          .find((each) => each.at('status').value === 'completed');
        if (run !== undefined) break;
        await kit.sleep(1_000);
      }
      await remove(kit, one);
      kit.need('triggers:run:opens-interaction', run !== undefined, 'no occurrence completed within 100 seconds');
      kit.same(
        'triggers:run:record',
        [run?.at('object').value, run?.at('interaction_id').value],
        ['trigger_run', run?.at('request_id').value],
        'object and interaction_id',
      );
      kit.holds(
        'triggers:run:precision',
        run?.at('scheduled_for').text().endsWith(':00.000Z') === true,
        `scheduled_for is ${run?.at('scheduled_for').text()}`,
      );
      const record = kit.taken(
        'triggers:run:opens-interaction',
        await kit.send({ path: `/interactions/${run?.at('interaction_id').text()}` }),
      );
      kit.holds(
        'ledger:charged:trigger-occurrences',
        record.at('charged_credits').number() > 0,
        'an occurrence costs nothing',
      );
    },
  ),

  conformanceCase(
    'runs on every day that one of two day fields names',
    { rules: ['triggers:schedule:day-or-weekday'] },
    async (kit) => {
      const rule = 'triggers:schedule:day-or-weekday';
      const trigger = await created(kit, rule, { schedule: '0 0 13 * 5' });
      const next = new Date(trigger.at('next_run_at').text());
      const day = new Date(Date.now());
      day.setUTCHours(0, 0, 0, 0);
      do day.setUTCDate(day.getUTCDate() + 1);
      while (day.getUTCDate() !== 13 && day.getUTCDay() !== 5);
      kit.same(rule, next.getTime(), day.getTime(), 'next_run_at');
      await remove(kit, `${path}/${trigger.at('id').text()}`);
    },
  ),

  conformanceCase(
    'runs once, after the gap, what falls into the hour that clocks leave out',
    { rules: ['triggers:schedule:dst'] },
    async (kit) => {
      const rule = 'triggers:schedule:dst';
      const gap = nextGap(new Date());
      const schedule = `30 2 ${gap.getUTCDate()} 3 *`;
      const trigger = await created(kit, rule, { schedule, time_zone: 'America/New_York' });
      // Clocks go from 02:00 to 03:00 there, which is 07:00 of UTC.
      kit.same(rule, Date.parse(trigger.at('next_run_at').text()), gap.getTime() + 7 * hourMs, 'next_run_at');
      await remove(kit, `${path}/${trigger.at('id').text()}`);
    },
  ),
];
