import {
  listRowsMax,
  type AccountRecord,
  type AttemptRecord,
  type OperationRecord,
  type UsageRecord,
} from '@tollgate/storage';
import { proposeVerdict, type BillFacts, type Proposal } from '../decisions/propose-verdict.ts';
import { addRecords, type Verdict, type VerdictNote } from '../decisions/verdict.ts';
import type { Engine } from '../engine.ts';
import { checkVerdictNote } from './check-verdict.ts';
import { gatherBill, type BillEntry, type BillRows, type GatheredBill, type RowsWithoutId } from './gather-bill.ts';
import { knownUsageOf, partsOf } from './operation-parts.ts';
import { judgeOperation, resolveOperation, type ResolveAnswer } from './resolve.ts';

/** A bill of an upstream, and what is done with it. */
export interface ReconcileInput {
  readonly rows: BillRows;
  /**
   * The bill has every call that was begun and ended in this time: what is not on it did not run. Without it nothing is
   * released. `rows` takes the time from the first to the last row.
   */
  readonly covers?: { readonly fromMs: number; readonly untilMs: number } | 'rows' | undefined;
  /** The provider, by its name on attempts, whose bill it is; without it the bill of every one. */
  readonly provider?: string | undefined;
  /** What the rows are named by (default `upstream`): its own ids, or the ids of operations that it was sent. */
  readonly idsAre?: BillFacts['idsAre'] | undefined;
  /**
   * Rows that bill a usage under no id are sums or fees, and no calls (default false). Unless it says so, such a row stops every
   * release: the operation that is not found may be the one that it bills.
   */
  readonly ignoreRowsWithoutId?: boolean | undefined;
  /** Carries the proposals out; without it nothing is changed. */
  readonly apply?: boolean | undefined;
  /** Goes on record with each verdict. */
  readonly note?: VerdictNote | undefined;
  /** A bill with more rows is refused (default 100,000). */
  readonly rowsMax?: number | undefined;
}

/** What the bill says of one uncertain operation. */
export interface ProposedVerdict {
  readonly operation: OperationRecord;
  readonly proposal: Proposal;
  /** What it comes to; null where nothing is proposed, or the price is not known. */
  readonly amountMicros: bigint | null;
  /** What became of it; null where nothing was applied. */
  readonly answer: ResolveAnswer['kind'] | null;
}

/** An operation that is decided, and of which the bill says something else. */
export interface BillDifference {
  readonly operation: OperationRecord;
  readonly billed: readonly UsageRecord[];
}

/** How a bill compares with the operations. */
export interface ReconcileReport {
  readonly rows: number;
  /** Rows that bill a usage and have no id. */
  readonly withoutId: RowsWithoutId;
  /** Every uncertain operation that was compared with the bill, newest first. */
  readonly proposals: readonly ProposedVerdict[];
  /** More operations are uncertain than one run compares: run it again once these are decided. */
  readonly more: boolean;
  /** Completed ones with another measure, and failed ones that the upstream bills. */
  readonly differences: readonly BillDifference[];
  readonly differencesCount: number;
  /** What on the bill no operation is found by. */
  readonly unmatched: readonly Omit<BillEntry, 'isMatched'>[];
  readonly unmatchedCount: number;
}

const rowsMaxDefault = 100_000;
/** Uncertain operations that one run compares. */
const uncertainMax = 5_000;
/** Differences and unmatched rows that are named; the others are counted. */
const namedMax = 1_000;

const sumOf = (entries: readonly BillEntry[]): readonly UsageRecord[] | null => {
  for (const entry of entries) entry.isMatched = true;
  return entries.length === 0 ? null : addRecords(...entries.map(({ usage }) => usage));
};

const factsOf = (bill: GatheredBill, input: ReconcileInput): BillFacts => {
  const find = (ids: readonly string[]): readonly BillEntry[] =>
    [...new Set(ids)].flatMap((id) => bill.entries.get(id) ?? []);
  return {
    findUsage: (ids) => sumOf(find(ids)),
    findOwnUsage: (operationId) => sumOf(find([operationId])),
    covers: input.covers === 'rows' ? bill.span : (input.covers ?? null),
    hasRowsWithoutId: bill.withoutId.count > 0 && input.ignoreRowsWithoutId !== true,
    provider: input.provider ?? null,
    idsAre: input.idsAre ?? 'upstream',
  };
};

const amountOf = async (engine: Engine, operation: OperationRecord, verdict: Verdict): Promise<bigint | null> => {
  const judged = await judgeOperation(engine, operation, verdict);
  return judged.kind === 'judged' ? judged.measure.micros : null;
};

const proposeOne = async (
  engine: Engine,
  operation: OperationRecord,
  facts: BillFacts,
  { apply = false, note = {} }: ReconcileInput,
): Promise<ProposedVerdict> => {
  const known = knownUsageOf(operation);
  const proposal = proposeVerdict(operation, { parts: await partsOf(engine, operation), known }, facts);
  if (proposal.kind === 'none') return { operation, proposal, amountMicros: null, answer: null };
  const amountMicros = await amountOf(engine, operation, proposal.verdict);
  const answer = apply ? (await resolveOperation(engine, operation.id, proposal.verdict, note)).kind : null;
  return { operation, proposal, amountMicros, answer };
};

const listUncertain = async (engine: Engine): Promise<readonly OperationRecord[]> => {
  const all: OperationRecord[] = [];
  while (all.length <= uncertainMax) {
    const last = all.at(-1);
    const page = await engine.storage.list('operationsByState', {
      of: 'uncertain',
      limit: listRowsMax,
      ...(last === undefined ? {} : { after: { order: last.createdAtMs, id: last.id } }),
    });
    all.push(...page);
    if (page.length < listRowsMax) break;
  }
  return all;
};

/** The accounts, a page at a time. */
async function* eachAccount({ storage }: Pick<Engine, 'storage'>): AsyncGenerator<AccountRecord, void> {
  for (let last: AccountRecord | undefined; ;) {
    const page = await storage.list('accounts', {
      of: '',
      limit: listRowsMax,
      ...(last === undefined ? {} : { after: { order: last.createdAtMs, id: last.id } }),
    });
    yield* page;
    last = page.at(-1);
    if (page.length < listRowsMax) return;
  }
}

/** The operations of an account, newest first, as far back as one that was opened at that time. */
async function* eachOperation(
  { storage }: Pick<Engine, 'storage'>,
  of: string,
  fromMs: number,
): AsyncGenerator<OperationRecord, void> {
  for (let last: OperationRecord | undefined; ;) {
    const page = await storage.list('operationsByAccount', {
      of,
      limit: listRowsMax,
      ...(last === undefined ? {} : { after: { order: last.createdAtMs, id: last.id } }),
    });
    for (const operation of page) if (operation.createdAtMs >= fromMs) yield operation;
    last = page.at(-1);
    if (last === undefined || last.createdAtMs < fromMs || page.length < listRowsMax) return;
  }
}

const idsOfAttempts = (attempts: readonly AttemptRecord[]): readonly string[] =>
  attempts.flatMap(({ upstreamId, answerId }) => [upstreamId ?? [], answerId ?? []].flat());

/** What a bill may know an operation by, as far as it is measured. */
const idsOf = ({ id, attempts }: OperationRecord): readonly string[] => [
  id,
  ...idsOfAttempts(attempts.filter(({ abandoned }) => abandoned !== true)),
];

const isSameUsage = (billed: readonly UsageRecord[], recorded: readonly UsageRecord[] | null): boolean =>
  addRecords(
    billed,
    (recorded ?? []).map(({ unit, quantity }) => ({ unit, quantity: -quantity })),
  ).every(({ quantity }) => quantity === 0);

/** Whether what is billed is what was charged: nothing of a failed one, and the measure of a completed one. */
const agrees = (operation: OperationRecord, billed: readonly UsageRecord[]): boolean => {
  if (operation.state === 'failed') return billed.every(({ quantity }) => quantity === 0);
  // Whose usage is not known was charged by an amount, which the bill does not have.
  return operation.state !== 'completed' || operation.usage === null || isSameUsage(billed, operation.usage);
};

/** An operation may have waited for a worker for days before its first call. */
const openedBeforeMs = 8 * 24 * 3_600_000;

const findDifferences = async (
  engine: Engine,
  bill: GatheredBill,
  { facts, seen }: { readonly facts: BillFacts; readonly seen: ReadonlySet<string> },
): Promise<readonly BillDifference[]> => {
  const differences: BillDifference[] = [];
  const fromMs = (facts.covers ?? bill.span)?.fromMs ?? 0;
  for await (const account of eachAccount(engine))
    for await (const operation of eachOperation(engine, account.id, fromMs - openedBeforeMs)) {
      if (seen.has(operation.id)) continue;
      // An abandoned call is billed to the host, and is in no measure.
      facts.findUsage(idsOfAttempts(operation.attempts.filter(({ abandoned }) => abandoned === true)));
      const billed = facts.findUsage(idsOf(operation));
      if (billed !== null && !agrees(operation, billed)) differences.push({ operation, billed });
    }
  return differences;
};

/**
 * Reads an upstream's bill, and says of each uncertain operation what the bill decides; with `apply` it carries that out. What is
 * decided stays decided, so the same bill may be read again. Reports operations that are decided and of which the bill says
 * something else, and rows that belong to none. Reads every operation of the time of the bill; throws a RangeError for a bill that is
 * too long.
 */
export const reconcile = async (engine: Engine, input: ReconcileInput): Promise<ReconcileReport> => {
  checkVerdictNote(input.note ?? {});
  const bill = await gatherBill(input.rows, input.rowsMax ?? rowsMaxDefault);
  const facts = factsOf(bill, input);
  const uncertain = await listUncertain(engine);
  const looked = uncertain.slice(0, uncertainMax);
  const proposals: ProposedVerdict[] = [];
  for (const operation of looked) proposals.push(await proposeOne(engine, operation, facts, input));
  const seen = new Set(uncertain.map(({ id }) => id));
  const differences = await findDifferences(engine, bill, { facts, seen });
  const unmatched = [...bill.entries.values()].filter(({ isMatched }) => !isMatched);
  return {
    rows: bill.rows,
    withoutId: bill.withoutId,
    proposals,
    more: uncertain.length > uncertainMax,
    differences: differences.slice(0, namedMax),
    differencesCount: differences.length,
    unmatched: unmatched.slice(0, namedMax).map(({ id, usage, lines }) => ({ id, usage, lines })),
    unmatchedCount: unmatched.length,
  };
};
