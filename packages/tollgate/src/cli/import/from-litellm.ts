import {
  capTextOf,
  emptyExport,
  isSet,
  namedPlace,
  remainingCredits,
  valueOf,
  type ExportDraft,
  type ExportedRows,
  type Windows,
} from './exported-keys.ts';
import type { FieldNames, RawRow } from './import-row.ts';
import { otherBoundsOf } from './litellm-bounds.ts';
import { accountClaims, ownerOf, type ClaimAccount } from './litellm-owners.ts';
import { isTable, tablesOf } from './read-import-file.ts';

const windows: Windows = {
  '1h': 'hour',
  '60m': 'hour',
  '1d': 'day',
  '24h': 'day',
  '7d': 'week',
  '1w': 'week',
  '30d': 'month',
  '1mo': 'month',
};

const names: FieldNames = {
  account: 'team_id',
  account_name: 'team_alias',
  balance: 'max_budget',
  account_requests_per_minute: 'rpm_limit',
  account_tokens_per_minute: 'tpm_limit',
  account_concurrent_requests: 'max_parallel_requests',
  key: 'token',
  key_name: 'key_alias',
  cap: 'max_budget',
  requests_per_minute: 'rpm_limit',
  tokens_per_minute: 'tpm_limit',
  concurrent_requests: 'max_parallel_requests',
};

/** Words in the place of models that name no model: the key calls all models of its team or of the gateway. */
const everyModel: ReadonlySet<unknown> = new Set(['all-team-models', 'all-proxy-models', '*']);

/** The models of a list; null where it bounds nothing. */
const boundOf = (models: unknown): readonly unknown[] | null =>
  Array.isArray(models) && models.length > 0 && !models.some((model: unknown) => everyModel.has(model)) ? models : null;

/** An amount of dollars, as a number or a text; undefined where there is none, and null for what is no amount: no bound may be lost by it. */
const dollarsOf = (fields: RawRow['fields'], name: string): number | null | undefined => {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  const isAmount = typeof value === 'number' || (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value));
  const dollars = isAmount ? Number(value) : Number.NaN;
  return Number.isFinite(dollars) && dollars >= 0 ? dollars : null;
};

/** What a budget and what was spent of it are; a text that no row accepts where one of them is no amount. */
const budgetOf = (
  fields: RawRow['fields'],
): { readonly limit: number | undefined; readonly spent: number } | { readonly fault: string } => {
  const [limit, spent] = [dollarsOf(fields, 'max_budget'), dollarsOf(fields, 'spend')];
  if (limit === null) return { fault: `max_budget ${JSON.stringify(fields['max_budget'])}` };
  // Without a budget nothing is counted against it.
  if (spent === null && limit !== undefined) return { fault: `spend ${JSON.stringify(fields['spend'])}` };
  return { limit, spent: spent ?? 0 };
};

const balanceOf = (fields: RawRow['fields']): string | undefined => {
  const budget = budgetOf(fields);
  if ('fault' in budget) return budget.fault;
  const isPrepaid = budget.limit !== undefined && !isSet(fields['budget_duration']);
  return isPrepaid ? remainingCredits(budget.limit, budget.spent) : undefined;
};

const readTeam = (draft: ExportDraft, claim: ClaimAccount, { place, fields }: RawRow): void => {
  if (fields['blocked'] === true) {
    draft.skipped.push(`${place}: blocked`);
    return;
  }
  claim(place, { field: 'team_id', account: fields['team_id'] });
  draft.leftOut.push(...otherBoundsOf(fields).map((name) => `${place}: ${name}`));
  if (isSet(fields['budget_duration'])) draft.leftOut.push(`${place}: max_budget with budget_duration of a team`);
  draft.rows.push({
    place,
    fields: {
      account: fields['team_id'],
      account_name: valueOf(fields, 'team_alias'),
      balance: balanceOf(fields),
      account_requests_per_minute: fields['rpm_limit'],
      account_tokens_per_minute: fields['tpm_limit'],
      account_concurrent_requests: fields['max_parallel_requests'],
    },
  });
};

type Team = RawRow['fields'] | undefined;

/** Whether a name of a list of models is a model, or has it where it holds a wildcard. */
const isNamedBy =
  (model: unknown) =>
  (name: unknown): boolean => {
    const [start = '', ...rest] = typeof name === 'string' ? name.split('*') : [];
    if (rest.length === 0 || typeof model !== 'string') return name === model;
    return model.startsWith(start) && model.endsWith(rest.at(-1) ?? '');
  };

const isWildcard = (name: unknown): boolean => typeof name === 'string' && name.includes('*');

/** The models of a key, of those of its team; a key without a list has those of the team. */
const modelsOf = ({ fields }: RawRow, team: Team): unknown => {
  const [own, shared] = [boundOf(fields['models']), boundOf(team?.['models'])];
  if (own === null) return isSet(fields['models']) && !Array.isArray(fields['models']) ? fields['models'] : shared;
  return shared === null ? own : own.filter((model) => isWildcard(model) || shared.some(isNamedBy(model)));
};

/** Why a key opens nothing any more; null where it does. */
const shutBy = ({ fields }: RawRow, team: Team, models: unknown): string | null => {
  if (fields['blocked'] === true) return 'blocked';
  if (team?.['blocked'] === true) return 'its team is blocked';
  if (Array.isArray(models) && models.length === 0) return 'none of its models is one of its team';
  const budget = budgetOf(fields);
  if ('fault' in budget || budget.limit === undefined || isSet(fields['budget_duration'])) return null;
  return budget.limit - budget.spent <= 0 ? 'exhausted' : null;
};

const capOf = (draft: ExportDraft, { place, fields }: RawRow): string | null | undefined => {
  const budget = budgetOf(fields);
  if ('fault' in budget) return budget.fault;
  const { limit, spent } = budget;
  const reset = valueOf(fields, 'budget_duration');
  const remaining = (limit ?? 0) - spent;
  const cap = capTextOf({ limit, reset: reset === undefined ? null : String(reset), remaining }, windows);
  if (cap === null) draft.leftOut.push(`${place}: budget_duration ${reset}`);
  return cap;
};

const readKey = (draft: ExportDraft, claim: ClaimAccount, row: RawRow, team: Team): void => {
  const { place, fields } = row;
  const models = modelsOf(row, team);
  const shut = shutBy(row, team, models);
  if (shut !== null) {
    draft.skipped.push(`${place}: ${shut}`);
    return;
  }
  const owner = ownerOf(fields);
  claim(place, owner);
  draft.leftOut.push(...otherBoundsOf(fields).map((name) => `${place}: ${name}`));
  draft.rows.push({
    place,
    fields: {
      account: owner.account,
      // The SHA-256 of the key.
      key: fields['token'],
      key_name: valueOf(fields, 'key_alias'),
      models,
      expires: fields['expires'],
      cap: capOf(draft, row),
      requests_per_minute: fields['rpm_limit'],
      tokens_per_minute: fields['tpm_limit'],
      concurrent_requests: fields['max_parallel_requests'],
    },
  });
};

/** Keys of `/key/list?return_full_object=true` and teams of `/team/list`; null for what is neither. */
export const fromLitellm = (exported: unknown): ExportedRows | null => {
  const keys = tablesOf(isTable(exported) ? exported['keys'] : exported, 'keys');
  const teams = tablesOf((isTable(exported) ? exported['teams'] : undefined) ?? [], 'teams');
  if (keys === null || teams === null) return null;
  const draft = emptyExport();
  const claim = accountClaims(draft.refused);
  const byId = new Map(teams.map(({ fields }) => [fields['team_id'], fields]));
  for (const team of teams) readTeam(draft, claim, { ...team, place: namedPlace(team, 'team_id') });
  for (const key of keys)
    readKey(draft, claim, { ...key, place: namedPlace(key, 'key_alias', 'key_name') }, byId.get(key.fields['team_id']));
  return { ...draft, names };
};
