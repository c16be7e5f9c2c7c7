import {
  byKind,
  cameIn,
  checkOf,
  faultAt,
  flag,
  list,
  memberPlace,
  number,
  oneOf,
  optionsCheck,
  required,
  text,
  whole,
} from '@tollgate/contract/configuration';
import type { OperationRecord, UsageRecord } from '@tollgate/storage';
import type { VerdictNote } from '../decisions/verdict.ts';
import { microsCheck } from './micros-check.ts';
import type { ReconcileInput } from './reconcile.ts';
import type { OperationQuery } from './operation-lists.ts';

/** A part of a verdict with every member that one may have; which go together is for the decision to say. */
interface PlainPart {
  readonly part: string;
  readonly executed: boolean;
  readonly usage?: readonly UsageRecord[];
  readonly amountMicros?: bigint;
}

/** A verdict in the same way. */
interface PlainVerdict {
  readonly executed: boolean;
  readonly amountMicros?: bigint;
  readonly usage?: readonly UsageRecord[] | 'at_least';
  readonly parts?: readonly PlainPart[];
}

const usage = list(optionsCheck<UsageRecord>({ unit: required(text()), quantity: required(number()) }));

const anyMicros = microsCheck(() => true, '');

export const verdictCheck = optionsCheck<PlainVerdict>({
  executed: required(flag()),
  amountMicros: anyMicros,
  usage: byKind({ text: oneOf('at_least'), list: usage }, "is 'at_least' or a list of units and quantities"),
  parts: list(
    optionsCheck<PlainPart>({
      part: required(text()),
      executed: required(flag()),
      usage,
      amountMicros: anyMicros,
    }),
  ),
});

/** The texts by themselves; their lengths are judged with the verdict. */
const noteText = text({ charsMin: 0 });

export const noteCheck = optionsCheck<VerdictNote>({ by: noteText, reason: noteText, reference: noteText });

const byAccount = optionsCheck<Extract<OperationQuery, { kind: 'account' }>>({
  kind: required(oneOf('account')),
  accountId: required(text()),
});
const byProject = optionsCheck<Extract<OperationQuery, { kind: 'project' }>>({
  kind: required(oneOf('project')),
  projectId: required(text()),
});
const byState = optionsCheck<Extract<OperationQuery, { kind: 'state' }>>({
  kind: required(oneOf('state')),
  state: required(oneOf('preparing', 'reserved', 'processing', 'cancelling', 'settling', 'uncertain')),
});

const queryKind = oneOf('account', 'project', 'state');

export const operationQueryCheck = checkOf<OperationQuery>((value, place) => {
  const where = place === '' ? 'the query' : place;
  if (typeof value !== 'object' || value === null)
    return faultAt(where, cameIn(value), "is an object such as { kind: 'account', accountId }");
  const kind: unknown = Reflect.get(value, 'kind');
  if (kind === 'account') return byAccount.faultsOf(value, place);
  if (kind === 'project') return byProject.faultsOf(value, place);
  return kind === 'state' ? byState.faultsOf(value, place) : queryKind.faultsOf(kind, memberPlace(place, 'kind'));
});

/** The last operation of the page before, which has members beside these. */
export const lastOperationCheck = checkOf<Pick<OperationRecord, 'id' | 'createdAtMs'>>((value, place) =>
  typeof value === 'object' && value !== null
    ? [
        ...text().faultsOf(Reflect.get(value, 'id'), memberPlace(place, 'id')),
        ...whole().faultsOf(Reflect.get(value, 'createdAtMs'), memberPlace(place, 'createdAtMs')),
      ]
    : faultAt(place, cameIn(value), 'is the last operation of the page before'),
);

const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);

export const reconcileCheck = optionsCheck<ReconcileInput>({
  rows: required(
    checkOf((value, place) =>
      isIterable(value) ? [] : faultAt(place, cameIn(value), 'is a list, or another iterable, of rows of a bill'),
    ),
  ),
  covers: byKind(
    {
      text: oneOf('rows'),
      object: optionsCheck<{ readonly fromMs: number; readonly untilMs: number }>({
        fromMs: required(number()),
        untilMs: required(number()),
      }),
    },
    "is 'rows', or an object with fromMs and untilMs",
  ),
  provider: text(),
  idsAre: oneOf('upstream', 'operation'),
  ignoreRowsWithoutId: flag(),
  apply: flag(),
  note: noteCheck,
  rowsMax: whole({ min: 1 }),
});
