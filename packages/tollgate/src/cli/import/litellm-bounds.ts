import { isSet } from './exported-keys.ts';
import { isTable } from './read-import-file.ts';

/** What bounds a key or a team of LiteLLM and has no place here. Members of `metadata` are those that its own interface writes there. */
const otherBounds = [
  'model_max_budget',
  'allowed_routes',
  'model_rpm_limit',
  'model_tpm_limit',
  'rpm_limit_per_model',
  'tpm_limit_per_model',
  'budget_limits',
] as const;

/** The bounds of a budget that a key or a team shares with others. */
const sharedBounds = ['max_budget', 'rpm_limit', 'tpm_limit', 'max_parallel_requests', 'model_max_budget'] as const;

const namesIn = (table: unknown, names: readonly string[], within: string): readonly string[] =>
  isTable(table) ? names.filter((name) => isSet(table[name])).map((name) => `${within}${name}`) : [];

/** The bounds of a shared budget; the names of the budget itself where the export does not say what it bounds. */
const budgetBoundsOf = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  isTable(fields['litellm_budget_table'])
    ? namesIn(fields['litellm_budget_table'], sharedBounds, 'litellm_budget_table.')
    : namesIn(fields, ['budget_id', 'litellm_budget_table'], '');

/** The names of the bounds that cannot be carried. */
export const otherBoundsOf = (fields: Readonly<Record<string, unknown>>): readonly string[] => [
  ...namesIn(fields, otherBounds, ''),
  ...namesIn(fields['metadata'], otherBounds, 'metadata.'),
  ...budgetBoundsOf(fields),
];
