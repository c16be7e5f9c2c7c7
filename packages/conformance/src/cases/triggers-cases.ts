import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { idsOf, remove } from './made-resource.ts';
import { created, fields, path, refused, yearly } from './trigger-ask.ts';

export const triggersCases: readonly ConformanceCase[] = [
  conformanceCase(
    'shows a schedule with its next time, and runs nothing at once',
    {
      rules: ['triggers:create:response', 'triggers:get:record', 'triggers:create:not-immediate', 'triggers:runs:list'],
    },
    async (kit) => {
      const trigger = await created(kit, 'triggers:create:response', { display_name: 'New year' });
      const one = `${path}/${trigger.at('id').text()}`;
      const next = trigger.at('next_run_at').text();
      const isAhead = Date.parse(next) > Date.now() && next.includes('-01-01T09:00:00');
      kit.holds('triggers:create:response', isAhead, `next_run_at is ${next}`);
      const missing = fields.filter((name) => trigger.at(name).value === undefined);
      kit.same('triggers:get:record', missing, [], 'missing fields');
      kit.fields('triggers:get:record', trigger, { object: 'trigger', enabled: true, last_run_at: null });
      const runs = kit.taken('triggers:runs:list', await kit.send({ path: `${one}/runs` }));
      kit.fields('triggers:runs:list', runs, { object: 'list' });
      kit.fields('triggers:create:not-immediate', runs, { data: [] });
      await remove(kit, one);
    },
  ),
  conformanceCase(
    'makes a schedule of its own each time, and lists paused ones',
    { rules: ['idempotency:none:webhooks-triggers', 'triggers:list:includes-paused'] },
    async (kit) => {
      const [first, second] = [await created(kit, kit.rule), await created(kit, kit.rule)];
      const [id, other] = [first.at('id').text(), second.at('id').text()];
      kit.holds('idempotency:none:webhooks-triggers', id !== other, 'two creations are one trigger');
      await kit.send({ method: 'PATCH', path: `${path}/${id}`, body: { enabled: false } });
      const ids = idsOf(await kit.send({ path }));
      kit.holds('triggers:list:includes-paused', ids.includes(id), 'a paused one is not listed');
      for (const each of [id, other]) await remove(kit, `${path}/${each}`);
    },
  ),
  conformanceCase(
    'goes by five fields and a time zone',
    {
      rules: [
        'triggers:body:schedule',
        'triggers:schedule:dialect',
        'triggers:body:time-zone',
        'triggers:body:default-time-zone',
        'triggers:body:display-name',
      ],
    },
    async (kit) => {
      await refused(
        kit,
        'triggers:body:schedule',
        ['0 9 * *', '0 9 * * 1 2026', '60 9 * * *', 'daily', ''].map((schedule) => ({ schedule })),
      );
      await refused(
        kit,
        'triggers:schedule:dialect',
        ['@daily', '0 9 ? * 1', '0 9 L * *', '0 0 31 2 *'].map((schedule) => ({ schedule })),
      );
      await refused(kit, 'triggers:body:time-zone', [{ time_zone: 'Mars/Base' }]);
      await refused(kit, 'triggers:body:display-name', [{ display_name: 'n'.repeat(201) }]);
      const plain = await created(kit, 'triggers:body:default-time-zone', { time_zone: undefined });
      kit.same('triggers:body:default-time-zone', plain.at('time_zone').value, 'America/Sao_Paulo', 'time_zone');
      const zoned = await created(kit, 'triggers:body:time-zone', { time_zone: 'Asia/Tokyo' });
      kit.holds(
        'triggers:body:time-zone',
        zoned.at('next_run_at').text().includes('T00:00:00'),
        `nine in Tokyo is ${zoned.at('next_run_at').text()}`,
      );
      const named = await created(kit, 'triggers:body:display-name', { display_name: 'n'.repeat(200) });
      const made = [plain, zoned, named];
      for (const schedule of ['*/15 8-17 * jan,JUL mon-fri', '0 0 * * 7'])
        made.push(await created(kit, 'triggers:schedule:dialect', { schedule }));
      for (const one of made) await remove(kit, `${path}/${one.at('id').text()}`);
    },
  ),
  conformanceCase('checks the interaction that it will open', { rules: ['triggers:body:interaction'] }, async (kit) => {
    await refused(kit, 'triggers:body:interaction', [
      { interaction: undefined },
      { interaction: 'Report.' },
      { interaction: kit.body('chat', { input: 'x', tools: [{ type: 'nope' }] }) },
    ]);
  }),
  conformanceCase(
    'hides the data of media',
    { rules: ['triggers:get:redacted'], needs: ['chat', 'can:image_input'] },
    async (kit) => {
      const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNgAAAAAgAB4iG8MwAAAABJRU5ErkJggg==';
      const interaction = kit.body('chat', {
        input: [
          { type: 'text', text: 'Report.' },
          { type: 'image', mime_type: 'image/png', data },
        ],
      });
      const answer = await kit.send({ path, body: yearly(kit, { interaction }) });
      // A gateway may look at the image more closely than a schedule needs.
      if (answer.status === 422) return;
      const trigger = kit.taken('triggers:get:redacted', answer);
      const read = await kit.send({ path: `${path}/${trigger.at('id').text()}` });
      kit.holds(
        'triggers:get:redacted',
        read.json.at('interaction', 'input').value !== undefined && !`${answer.text}${read.text}`.includes(data),
        'the data of an image is shown',
      );
      await remove(kit, `${path}/${trigger.at('id').text()}`);
    },
  ),
];
