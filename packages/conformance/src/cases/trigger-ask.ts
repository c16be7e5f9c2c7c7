import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Json } from '../wire/json.ts';
import { made } from './made-resource.ts';

export const path = '/triggers';

export const yearly = (kit: Kit, more: object = {}): object => ({
  schedule: '0 9 1 1 *',
  time_zone: 'UTC',
  interaction: kit.body('chat', { input: 'Report.' }),
  ...more,
});

export const fields = [
  'id',
  'object',
  'project_id',
  'display_name',
  'schedule',
  'time_zone',
  'interaction',
  'enabled',
  'next_run_at',
  'last_run_at',
  'created_at',
  'updated_at',
];

export const created = async (kit: Kit, rule: RuleId, more: object = {}): Promise<Json> =>
  made(kit, rule, { path, body: yearly(kit, more) });

export const refused = async (kit: Kit, rule: RuleId, changes: readonly object[]): Promise<void> => {
  for (const more of changes) kit.refused(rule, await kit.send({ path, body: yearly(kit, more) }), 422);
};
