import type { Usage } from '@tollgate/provider';
import type { AttemptRecord, OperationRecord } from '@tollgate/storage';
import { doubtOperation, failCommand, measuredMicros, settleCommand, usageRecords } from '../conclude.ts';
import { wantedLiveHold } from '../decisions/live-hold.ts';
import type { Evidence } from '../decisions/settle.ts';
import type { Engine } from '../engine.ts';
import { findKindTariff, priceOf } from '../tariff.ts';

/** What a note about a session's use came to. */
export type LiveNote = 'covered' | 'insufficient' | 'ended';

/** What a session has used so far. */
export interface LiveUse {
  readonly usage: readonly Usage[];
  /** How long it has been open, in started seconds; charged only where the tariff has a price for it. */
  readonly seconds: number;
}

/** How a session ended. */
export type LiveEnd =
  | { readonly kind: 'measured'; readonly usage: readonly Usage[] }
  /** More may have been used than is known. */
  | { readonly kind: 'unknown'; readonly usage: readonly Usage[] }
  /** Certain: nothing was handed to a provider. */
  | { readonly kind: 'not_executed'; readonly errorCode: string };

/** The credits of one session while it goes on. Usage is told as the sum so far. */
export interface LiveMoney {
  /** Makes the use so far durable, and renews the hold ahead of it. */
  readonly note: (use: LiveUse) => Promise<LiveNote>;
  /** Ends the operation, once; never throws: what cannot be stored is left to the lease. */
  readonly end: (end: LiveEnd & { readonly seconds: number }, attempts: readonly AttemptRecord[]) => Promise<void>;
}

interface Standing {
  readonly periodMicros: bigint;
  holdMicros: bigint;
  usedMicros: bigint;
  largestMicros: bigint;
  /** What was made durable last, as text. */
  noted: string;
}

/** Time is one more meter where it has a price; without any other, that nothing was used is a measure too. */
const withTime = (engine: Engine, { model, kind }: OperationRecord, { usage, seconds }: LiveUse): readonly Usage[] => {
  const priced = findKindTariff(engine.tariff, model, kind)?.picosPerUnit.has('session_seconds') ?? false;
  if (!priced && usage.length > 0) return usage;
  return [...usage, { unit: 'session_seconds', quantity: priced ? seconds : 0, confirmed: true }];
};

const hold = async (
  engine: Engine,
  operation: OperationRecord,
  asked: { readonly holdMicros: bigint; readonly usage: readonly Usage[] },
) => {
  const { holdMicros, usage } = asked;
  const { id: operationId, accountId } = operation;
  return engine.money.extend({ operationId, accountId, holdMicros, usage: usageRecords(usage) });
};

const note = async (
  engine: Engine,
  operation: OperationRecord,
  standing: Standing,
  usage: readonly Usage[],
): Promise<LiveNote> => {
  // Time without a price makes no difference while nobody says anything.
  const text = JSON.stringify(usage);
  if (text === standing.noted) return 'covered';
  const tariff = findKindTariff(engine.tariff, operation.model, operation.kind);
  const usedMicros = tariff === null ? null : priceOf(tariff, usage, 'up');
  // What has no price cannot be sold on.
  if (usedMicros === null) return 'ended';
  const pieceMicros = usedMicros - standing.usedMicros;
  standing.usedMicros = usedMicros;
  if (pieceMicros > standing.largestMicros) standing.largestMicros = pieceMicros;
  const wanting = wantedLiveHold(standing);
  const amounts =
    wanting === null ? [standing.holdMicros] : [wanting.wantedMicros, wanting.leastMicros, standing.holdMicros];
  for (const holdMicros of amounts) {
    const answer = await hold(engine, operation, { holdMicros, usage });
    if (answer.kind === 'ended') return 'ended';
    if (answer.kind === 'insufficient') continue;
    const { operation: held } = answer;
    standing.noted = text;
    standing.holdMicros = held.holdMicros + held.chargedMicros;
    return wanting !== null && standing.holdMicros < wanting.leastMicros ? 'insufficient' : 'covered';
  }
  return 'insufficient';
};

const evidenceOf = (usage: readonly Usage[] | null, attempts: readonly AttemptRecord[]): Evidence => ({
  usage: usage === null ? null : usageRecords(usage),
  attempts,
  answer: null,
  toolContexts: [],
});

const conclude = async (
  engine: Engine,
  operation: OperationRecord,
  { end, attempts }: { readonly end: LiveEnd; readonly attempts: readonly AttemptRecord[] },
): Promise<void> => {
  if (end.kind === 'not_executed') {
    await engine.money.fail(failCommand(engine, operation, end.errorCode, attempts));
    return;
  }
  const evidence = evidenceOf(end.usage, attempts);
  const micros = end.kind === 'measured' ? measuredMicros(engine, operation, end.usage) : null;
  if (micros === null) {
    engine.logger.error('consumption of a session unknown', { operationId: operation.id });
    await doubtOperation(engine, operation, evidence);
  } else await engine.money.settle(settleCommand(engine, operation, micros, evidence));
};

/** The money of a session that a socket of this process has taken (live:settle:at-end, live:settle:drop-uncertain). */
export const liveMoney = (engine: Engine, operation: OperationRecord): LiveMoney => {
  const standing: Standing = {
    periodMicros: operation.holdMicros,
    holdMicros: operation.holdMicros,
    usedMicros: 0n,
    largestMicros: 0n,
    noted: JSON.stringify(withTime(engine, operation, { usage: [], seconds: 0 })),
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    note: (use) => {
      const noted = last.then(() => note(engine, operation, standing, withTime(engine, operation, use)));
      last = noted.catch(() => {});
      return noted;
    },
    end: async (end, attempts) => {
      await last;
      try {
        const whole = end.kind === 'not_executed' ? end : { ...end, usage: withTime(engine, operation, end) };
        await conclude(engine, operation, { end: whole, attempts });
      } catch (cause) {
        engine.logger.error('the end of a session could not be stored', { operationId: operation.id, cause });
      } finally {
        engine.running.delete(operation.id);
      }
    },
  };
};
