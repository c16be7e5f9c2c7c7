import { operationStates } from '@tollgate/contract';
import { number, oneOf, optionsCheck, required, text, whole } from '@tollgate/contract/configuration';
import { listRowsMax, type IndexCursor } from '@tollgate/storage';
import type { TriggerName } from '../triggers/triggers.ts';
import type { AnomalyQuery } from './anomalies.ts';
import type { DeliveryQuery } from './deliveries.ts';
import { keyReferenceCheck } from './key-checks.ts';
import type { KeyQuery } from './keys.ts';
import type { IdentityName } from './operation-life.ts';
import type { OperationSearch } from './operation-lists.ts';
import type { ProjectQuery } from './projects.ts';
import type { ScheduleQuery } from './schedules.ts';
import type { SearchQuery } from './search.ts';
import type { StatementRange } from './statement-csv.ts';
import type { StatementQuery } from './statements.ts';

const page = {
  after: optionsCheck<IndexCursor>({ order: required(number()), id: required(text()) }),
  limit: whole({ min: 1, max: listRowsMax }),
};

const range = { fromMs: whole({ min: 0 }), untilMs: whole({ min: 0 }) };

const searchCharsMax = 200;
const search = { ...page, search: text({ charsMin: 0, charsMax: searchCharsMax }) };

// What the queries of the administration accept.

export const searchCheck = optionsCheck<SearchQuery>(search);
export const projectQueryCheck = optionsCheck<ProjectQuery>({ ...search, accountId: text() });
export const keyQueryCheck = optionsCheck<KeyQuery>({
  ...search,
  projectId: required(text()),
  reference: keyReferenceCheck,
});
export const statementQueryCheck = optionsCheck<StatementQuery>({ ...page, ...range, accountId: required(text()) });
export const statementRangeCheck = optionsCheck<StatementRange>({ ...range, accountId: required(text()) });
export const anomalyQueryCheck = optionsCheck<AnomalyQuery>({ ...page, accountId: text(), operationId: text() });
export const scheduleQueryCheck = optionsCheck<ScheduleQuery>({ ...page, projectId: text() });
export const scheduleNameCheck = optionsCheck<TriggerName>({
  projectId: required(text()),
  triggerId: required(text()),
});
export const identityNameCheck = optionsCheck<IdentityName>({
  projectId: required(text()),
  identity: required(text()),
});

export const deliveryQueryCheck = optionsCheck<DeliveryQuery>({
  ...page,
  projectId: text(),
  webhookId: text(),
  operationId: text(),
  status: oneOf('pending', 'delivered', 'failed', 'skipped'),
});

export const operationSearchCheck = optionsCheck<OperationSearch>({
  ...page,
  ...range,
  accountId: text(),
  projectId: text(),
  keyId: text(),
  model: text(),
  state: oneOf(...operationStates),
});
