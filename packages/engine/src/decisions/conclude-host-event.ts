import type { AnomalyRecord, HostEventRecord, Write } from '@tollgate/storage';
import { attemptsMax, waitAfter } from './delivery.ts';
import { dueAfter } from './due-after.ts';
import { anomalyKey } from './anomaly.ts';
import type { Step } from './step.ts';

export interface ConcludeHostEventCommand {
  readonly event: HostEventRecord;
  readonly outcome:
    /** The function of the host has taken it. */
    | { readonly kind: 'taken' }
    /** The function failed, or took too long. */
    | { readonly kind: 'failed' }
    /** Not tried: this process has no function for it, or has enough of them under way. */
    | { readonly kind: 'postponed'; readonly afterMs: number };
  /** From 0 up to but not including 1; spreads the wait after a failure. */
  readonly random: number;
  /** The id of the anomaly, should the tries end. */
  readonly anomalyId: string;
}

export type HostEventEnd = 'taken' | 'again' | 'given_up' | 'lost';

/** What is left of an event that no function took: its operation and its account stay findable. */
const givenUp = (event: HostEventRecord, id: string, nowMs: number): AnomalyRecord => ({
  id,
  operationId: event.operationId ?? '',
  accountId: event.accountId,
  code: 'host_event_given_up',
  detail: { eventId: event.id, kind: event.kind, attempts: event.attempts + 1 },
  createdAtMs: nowMs,
});

/** Notes what became of one try; under a claim that has run out, nothing. */
export const concludeHostEvent = (command: ConcludeHostEventCommand): Step<HostEventEnd> => ({
  keys: [{ table: 'hostEvent', id: command.event.id }, anomalyKey(command.anomalyId)],
  decide: (records, nowMs) => {
    const { event: claimed, outcome, random, anomalyId } = command;
    const event = records.get('hostEvent', claimed.id);
    if (event === undefined || event.owner !== claimed.owner) return { writes: [], answer: 'lost' };
    const gone: Write = { kind: 'delete', table: 'hostEvent', id: event.id };
    const put = (change: Partial<HostEventRecord>): Write => ({
      kind: 'put',
      table: 'hostEvent',
      record: { ...event, owner: null, ...change },
    });
    switch (outcome.kind) {
      case 'taken':
        return { writes: [gone], answer: 'taken' };
      case 'postponed':
        return { writes: [put({ dueAtMs: dueAfter(nowMs, outcome.afterMs) })], answer: 'again' };
      case 'failed': {
        const attempts = event.attempts + 1;
        if (attempts < attemptsMax)
          return { writes: [put({ attempts, dueAtMs: nowMs + waitAfter(attempts, null, random) })], answer: 'again' };
        const record = givenUp(event, anomalyId, nowMs);
        return { writes: [gone, { kind: 'append', table: 'anomaly', record }], answer: 'given_up' };
      }
    }
  },
});
