import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import type { Json } from '../wire/json.ts';
import { hello } from './bodies.ts';

const texts = ['id', 'name', 'family', 'profile', 'consumption'];
const flags = ['recommended', 'available', 'usable_with_key'];

const fieldFault = (model: Json): string | null => {
  const wrong = [
    ...texts.filter((name) => typeof model.at(name).value !== 'string'),
    ...flags.filter((name) => typeof model.at(name).value !== 'boolean'),
    ...(model.at('object').value === 'model' ? [] : ['object']),
    ...(model.at('unavailable_reason').value === null || model.at('unavailable_reason').text() !== ''
      ? []
      : ['unavailable_reason']),
    ...(Array.isArray(model.at('capabilities').value) ? [] : ['capabilities']),
  ];
  return wrong[0] ?? null;
};

const listOf = async (kit: Kit): Promise<Json> => kit.taken(kit.rule, await kit.send({ path: '/models' }));

export const modelsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'lists the models in one envelope',
    { charges: 1, rules: ['models:list:envelope', 'models:list:selected-model'] },
    async (kit) => {
      const list = await listOf(kit);
      kit.same('models:list:envelope', list.at('object').value, 'list', 'object');
      kit.holds('models:list:envelope', list.at('data').list().length > 0, 'data has no models');
      kit.holds('models:list:envelope', list.at('selected_model').text() !== '', 'selected_model is no text');
      const answered = kit.taken('models:list:selected-model', await kit.chat());
      if (
        list
          .at('data')
          .list()
          .some((row) => row.at('id').value === list.at('selected_model').value)
      )
        kit.same(
          'models:list:selected-model',
          list.at('selected_model').value,
          answered.at('model').value,
          'selected_model and the model that a chat names',
        );
    },
  ),
  conformanceCase(
    'gives every model all its fields',
    { rules: ['models:record:fields', 'models:capabilities:values', 'catalog:family:vocabulary'] },
    async (kit) => {
      const rows = (await listOf(kit)).at('data').list();
      for (const row of rows) {
        const fault = fieldFault(row);
        kit.holds('models:record:fields', fault === null, `${row.at('id').text()} has a wrong ${fault}`);
        kit.holds(
          'models:capabilities:values',
          row
            .at('capabilities')
            .list()
            .every(({ value }) => typeof value === 'string'),
          `a capability of ${row.at('id').text()} is no text`,
        );
        kit.holds('catalog:family:vocabulary', row.at('family').text() !== '', `${row.at('id').text()} has no family`);
      }
    },
  ),
  conformanceCase(
    'marks the own model as usable, and an unavailable one with a reason',
    { rules: ['models:record:usable-with-key', 'models:record:available'] },
    async (kit) => {
      const list = await listOf(kit);
      const rows = list.at('data').list();
      const selected = list.at('selected_model').value;
      const isBound = rows.some((row) => row.at('id').value === selected);
      for (const row of rows) {
        const usable = row.at('usable_with_key').value;
        if (isBound)
          kit.same(
            'models:record:usable-with-key',
            usable,
            row.at('id').value === selected,
            `usable_with_key of ${row.at('id').text()}`,
          );
        else
          kit.same(
            'models:record:usable-with-key',
            usable,
            row.at('available').value,
            `usable_with_key of ${row.at('id').text()}, for a key without a model`,
          );
        if (row.at('available').value === false)
          kit.holds(
            'models:record:available',
            row.at('unavailable_reason').text() !== '',
            `${row.at('id').text()} is unavailable without a reason`,
          );
      }
      kit.same(
        'models:record:available',
        rows.find((row) => row.at('id').value === kit.model('chat'))?.at('available').value,
        true,
        'available of the model in use',
      );
    },
  ),
  conformanceCase(
    'reads a model by its id',
    { rules: ['models:get:own', 'models:get:other-model', 'models:get:unknown'] },
    async (kit) => {
      const own = kit.model('chat');
      const record = kit.taken('models:get:own', await kit.send({ path: `/models/${own}` }));
      kit.same('models:get:own', record.at('id').value, own, 'id');
      kit.same('models:get:own', fieldFault(record), null, 'wrong fields');
      const { status } = await kit.send({ path: '/models/no-such-model' });
      kit.same('models:get:unknown', status, 404, 'the status of an unknown model');
      const other = (await listOf(kit))
        .at('data')
        .list()
        .find((row) => row.at('id').value !== own);
      if (other === undefined) return;
      const read = kit.taken('models:get:other-model', await kit.send({ path: `/models/${other.at('id').text()}` }));
      kit.same(
        'models:get:other-model',
        read.at('usable_with_key').value,
        other.at('usable_with_key').value,
        'usable_with_key',
      );
    },
  ),
  conformanceCase(
    'reads the automatic model as a record',
    { charges: 1, rules: ['models:get:automatic', 'catalog:alias:service-auto', 'versioning:auto-model-clients'] },
    async (kit) => {
      const auto = `${kit.brand}-auto`;
      const record = kit.taken('models:get:automatic', await kit.send({ path: `/models/${auto}` }));
      kit.same('models:get:automatic', record.at('id').value, auto, 'id');
      const answered = kit.taken('catalog:alias:service-auto', await kit.chat({ ...hello, model: auto }));
      kit.holds('catalog:alias:service-auto', answered.at('model').text() !== '', 'the completion names no model');
      kit.holds(
        'versioning:auto-model-clients',
        answered.at('choices', 0, 'message', 'content').text() !== '',
        'no text came',
      );
    },
  ),
  conformanceCase(
    'uses the model of the key where none is named',
    { charges: 1, rules: ['models:use:omitted'] },
    async (kit) => {
      const answered = kit.taken('models:use:omitted', await kit.send({ path: '/chat/completions', body: hello }));
      kit.holds('models:use:omitted', answered.at('model').text() !== '', 'the completion names no model');
    },
  ),
  conformanceCase('marks versions that may change', { rules: ['catalog:preview:subject-to-change'] }, async (kit) => {
    for (const row of (await listOf(kit)).at('data').list())
      if (row.at('id').text().includes('preview'))
        kit.holds(
          'catalog:preview:subject-to-change',
          /preview|change/iu.test(JSON.stringify(row.at('profile').value) + row.at('name').text()),
          `${row.at('id').text()} does not say that it may change`,
        );
  }),
  conformanceCase(
    'refuses the model of another key',
    { rules: ['errors:code:model-key-mismatch', 'errors:code:mismatch-is-422', 'generate:path:model'] },
    async (kit) => {
      const list = await listOf(kit);
      const rows = list.at('data').list();
      const selected = list.at('selected_model').value;
      // A key that chooses its model has no other.
      if (!rows.some((row) => row.at('id').value === selected)) return;
      const other =
        rows
          .find((row) => row.at('id').value !== selected)
          ?.at('id')
          .text() ?? 'another-model';
      const refused = await kit.send({ path: '/chat/completions', body: { ...hello, model: other } });
      kit.refused('errors:code:model-key-mismatch', refused, refused.status, 'model_key_mismatch');
      kit.same('errors:code:mismatch-is-422', refused.status, 422, 'the status');
      const generated = await kit.send({
        path: `/models/${other}:generateContent`,
        body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      });
      kit.refused('generate:path:model', generated, 422, 'model_key_mismatch');
    },
  ),
];
