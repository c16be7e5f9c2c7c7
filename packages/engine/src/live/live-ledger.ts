import type { ErrorCode } from '@tollgate/contract';
import type { CallContext, Usage } from '@tollgate/provider';
import type { AttemptRecord, OperationRecord } from '@tollgate/storage';
import { markUncertain, failCommand, measureUsage, settleCommand, usageRecords } from '../operations/conclude.ts';
import { coveredSentMicros, wantedLiveHold, wantedSentHold, type LiveWanting } from '../decisions/live-hold.ts';
import type { ExtendCommand } from '../decisions/extend.ts';
import type { Evidence } from '../decisions/settle.ts';
import type { Engine } from '../engine.ts';
import { leastRecords } from '../operations/kept-attempt.ts';
import { priceEstimate } from '../ledger/hold.ts';
import { pricesOf } from '../ledger/operation-prices.ts';
import { microsUp, priceOf } from '../ledger/price-usage.ts';
import type { TurnOutcome } from '../ports/observer.ts';
import { showTurn } from '../workers/shown-turn.ts';
import { estimateSent, type LiveSent } from './live-sent.ts';

/** The hold covers the session. */
export interface LiveCovered {
  readonly kind: 'covered';
  /** How much input that no measure counts yet it covers, by its bound. */
  readonly sentMicros: bigint;
}

/** What a note about a session's use came to. */
export type LiveUseOutcome =
  | LiveCovered
  | 'insufficient'
  | 'ended'
  /** The key that asked for the session may not be used any more. */
  | { readonly kind: 'access_lost'; readonly code: ErrorCode };

/** What a session has used so far. */
export interface LiveUse {
  readonly usage: readonly Usage[];
  /** How long it has been open, in started seconds; charged only where the price list has a price for it. */
  readonly seconds: number;
  /** The bound of the input that was sent since the last measure. */
  readonly sentMicros: bigint;
}

/** How a session ended. */
export type LiveEnd =
  | { readonly kind: 'measured'; readonly usage: readonly Usage[] }
  /** More may have been used than is known. */
  | { readonly kind: 'unknown'; readonly usage: readonly Usage[] }
  /** Certain: nothing was handed to a provider. */
  | { readonly kind: 'not_executed'; readonly errorCode: string };

/** The credits of one session while it goes on. Usage is reported as the sum so far. */
export interface LiveLedger {
  /** The bound of what input costs; null where it has no price. */
  readonly priceSent: (sent: LiveSent) => bigint | null;
  /** What the connection to this provider carries. An observer sees the session begin with it. */
  readonly headersFor: (provider: string) => CallContext['upstreamHeaders'];
  /** What the hold covers from the beginning. */
  readonly covered: LiveCovered;
  /** Extends the hold for input that is not sent yet, where it does not cover it: all that no measure counts. */
  readonly cover: (sentMicros: bigint) => Promise<LiveUseOutcome>;
  /** Makes the use so far durable, and renews the hold ahead of it, as long as the key may be used. */
  readonly recordUse: (use: LiveUse) => Promise<LiveUseOutcome>;
  /** Ends the operation, once; never throws: what cannot be stored is left to the lease. */
  readonly end: (end: LiveEnd & { readonly seconds: number }, attempts: readonly AttemptRecord[]) => Promise<void>;
}

interface LiveUseState {
  readonly periodMicros: bigint;
  holdMicros: bigint;
  usedMicros: bigint;
  largestMicros: bigint;
  largestSentMicros: bigint;
  /** What was made durable last, as text. */
  recorded: string;
}

/** Time is one more meter where it has a price; without any other, that nothing was used is a measure too. */
const withTime = (
  engine: Engine,
  operation: OperationRecord,
  { usage, seconds }: Omit<LiveUse, 'sentMicros'>,
): readonly Usage[] => {
  const priced = pricesOf(engine, operation)?.picosPerUnit.has('session_seconds') ?? false;
  if (!priced && usage.length > 0) return usage;
  return [...usage, { unit: 'session_seconds', quantity: priced ? seconds : 0, confirmed: true }];
};

const coveredBy = (holdState: LiveUseState): LiveCovered => ({
  kind: 'covered',
  sentMicros: coveredSentMicros(holdState),
});

const keysOf = ({
  id,
  accountId,
  spends,
}: OperationRecord): Pick<ExtendCommand, 'operationId' | 'accountId' | 'spends'> => ({
  operationId: id,
  accountId,
  spends,
});

interface Raise {
  readonly command: Omit<ExtendCommand, 'holdMicros'>;
  readonly amounts: readonly bigint[];
  readonly wanting: LiveWanting | null;
}

/** Asks for these holds in turn until the balance covers one. */
const raise = async (
  engine: Engine,
  holdState: LiveUseState,
  { command, amounts, wanting }: Raise,
): Promise<LiveCovered | 'insufficient' | 'ended'> => {
  for (const holdMicros of amounts) {
    const answer = await engine.operationLedger.extend({ ...command, holdMicros });
    if (answer.kind === 'ended') return 'ended';
    if (answer.kind === 'insufficient') continue;
    const { operation: held } = answer;
    holdState.holdMicros = held.holdMicros + held.chargedMicros;
    return wanting !== null && holdState.holdMicros < wanting.leastMicros ? 'insufficient' : coveredBy(holdState);
  }
  return 'insufficient';
};

const recordUse = async (
  engine: Engine,
  operation: OperationRecord,
  holdState: LiveUseState,
  { usage, sentMicros }: Pick<LiveUse, 'usage' | 'sentMicros'>,
): Promise<LiveUseOutcome> => {
  const code = await engine.access.refusalOf(operation);
  // What was used until now is settled with the end.
  if (code !== null) return { kind: 'access_lost', code };
  // Time without a price makes no difference while both sides are silent.
  const text = JSON.stringify(usage);
  if (text === holdState.recorded) return coveredBy(holdState);
  const tariff = pricesOf(engine, operation);
  const usedMicros = tariff === null ? null : priceOf(tariff, usage, 'up');
  // What has no price cannot be sold on.
  if (usedMicros === null) return 'ended';
  const pieceMicros = usedMicros - holdState.usedMicros;
  holdState.usedMicros = usedMicros;
  if (pieceMicros > holdState.largestMicros) holdState.largestMicros = pieceMicros;
  if (sentMicros > holdState.largestSentMicros) holdState.largestSentMicros = sentMicros;
  const wanting = wantedLiveHold(holdState);
  const amounts =
    wanting === null ? [holdState.holdMicros] : [wanting.wantedMicros, wanting.leastMicros, holdState.holdMicros];
  const command = { ...keysOf(operation), usage: usageRecords(usage) };
  const raised = await raise(engine, holdState, { command, amounts, wanting });
  // Any other ends the session.
  if (typeof raised === 'object') holdState.recorded = text;
  return raised;
};

const cover = async (
  engine: Engine,
  operation: OperationRecord,
  holdState: LiveUseState,
  sentMicros: bigint,
): Promise<LiveUseOutcome> => {
  const wanting = wantedSentHold(holdState, sentMicros);
  if (wanting === null) return coveredBy(holdState);
  const amounts = [wanting.wantedMicros, wanting.leastMicros];
  return raise(engine, holdState, { command: keysOf(operation), amounts, wanting });
};

const priceSent = (engine: Engine, operation: OperationRecord, sent: LiveSent): bigint | null => {
  const tariff = pricesOf(engine, operation);
  const price = tariff === null ? null : priceEstimate(tariff, estimateSent(sent));
  return price?.kind === 'picos' ? microsUp(price.picos) : null;
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
    await engine.operationLedger.fail(failCommand(engine, operation, end.errorCode, attempts));
    return;
  }
  const evidence = evidenceOf(end.usage, attempts);
  const measure = end.kind === 'measured' ? measureUsage(engine, operation, end.usage, attempts) : null;
  if (measure === null) {
    engine.logger.error('consumption of a session unknown', { operationId: operation.id });
    await markUncertain(engine, operation, { ...evidence, usageAtLeast: leastRecords(end.usage) });
  } else await engine.operationLedger.settle(settleCommand(engine, operation, measure, evidence));
};

/** The same for the whole time of the session. What cannot be stored is left to the lease. */
const concludeSafely = async (
  engine: Engine,
  operation: OperationRecord,
  { end, attempts }: { readonly end: Parameters<LiveLedger['end']>[0]; readonly attempts: readonly AttemptRecord[] },
): Promise<TurnOutcome> => {
  try {
    const whole = end.kind === 'not_executed' ? end : { ...end, usage: withTime(engine, operation, end) };
    await conclude(engine, operation, { end: whole, attempts });
    return end.kind === 'measured' ? 'done' : end.kind;
  } catch (cause) {
    engine.logger.error('the end of a session could not be stored', { operationId: operation.id, cause });
    return 'not_stored';
  } finally {
    engine.running.delete(operation.id);
  }
};

// live:settle:at-end, live:settle:drop-uncertain
/** The money of a session that a socket of this process has taken. */
export const liveLedger = (engine: Engine, operation: OperationRecord): LiveLedger => {
  const holdState: LiveUseState = {
    periodMicros: operation.holdMicros,
    holdMicros: operation.holdMicros,
    usedMicros: 0n,
    largestMicros: 0n,
    largestSentMicros: 0n,
    recorded: JSON.stringify(withTime(engine, operation, { usage: [], seconds: 0 })),
  };
  // To an observer a session is one turn of work, whose name is the lease that the socket holds it by.
  const shown = showTurn(engine, operation, operation.owner ?? operation.id);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (ask: () => Promise<LiveUseOutcome>): Promise<LiveUseOutcome> => {
    const asked = last.then(ask);
    last = asked.catch(() => {});
    return asked;
  };
  return {
    priceSent: (sent) => priceSent(engine, operation, sent),
    headersFor: (provider) => {
      shown?.call(provider);
      return engine.host.upstreamHeaders?.(operation.id);
    },
    covered: coveredBy(holdState),
    cover: (sentMicros) => inTurn(() => cover(engine, operation, holdState, sentMicros)),
    recordUse: (use) =>
      inTurn(() => recordUse(engine, operation, holdState, { ...use, usage: withTime(engine, operation, use) })),
    end: async (end, attempts) => {
      await last;
      const outcome = await concludeSafely(engine, operation, { end, attempts });
      shown?.end(outcome);
    },
  };
};
