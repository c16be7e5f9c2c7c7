import type { ClientAnswer, ClientRequest } from './client.ts';

/** An answer that was read whole: from then on it is true for good. */
export interface Acknowledged {
  readonly request: ClientRequest;
  readonly body: string;
  readonly requestId: string;
}

export interface AcknowledgedDeposit {
  readonly accountId: string;
  readonly amountMicros: bigint;
}

/** What clients received, and what it saw go wrong on the way. */
export interface Facts {
  /** Responses with 200 by identity. */
  readonly acknowledged: Map<string, Acknowledged>;
  readonly deposits: Map<string, AcknowledgedDeposit>;
  /** How many answers had each status; 0 counts broken connections. */
  readonly statuses: Map<number, number>;
  /** Identities whose first answer said that their outcome is unknown. */
  readonly markedUncertain: Set<string>;
  /** Identities of which an answer broke off, as it does when the process dies. */
  readonly broken: Set<string>;
  readonly violations: string[];
  operations: number;
}

export const createFacts = (): Facts => ({
  acknowledged: new Map(),
  deposits: new Map(),
  statuses: new Map(),
  markedUncertain: new Set(),
  broken: new Set(),
  violations: [],
  operations: 0,
});

/** What the first caller gets for an outcome that is unknown (errors:uncertain:first-answer). */
const uncertainStatus = 502;

/** Responses that a client of this load may see. */
const expected = new Set([200, 402, 409, 422, 499, 502, 503]);

/** Notes an answer; the same identity must get the same bytes for ever, and no other body's. */
export const noteAnswer = (facts: Facts, request: ClientRequest, answer: ClientAnswer): void => {
  facts.operations += 1;
  const status = answer?.status ?? 0;
  facts.statuses.set(status, (facts.statuses.get(status) ?? 0) + 1);
  const { identity, marker } = request;
  if (answer === null) {
    facts.broken.add(identity);
    return;
  }
  if (status === uncertainStatus && !answer.replayed) facts.markedUncertain.add(identity);
  if (!expected.has(status)) facts.violations.push(`${identity}: status ${status}: ${answer.body}`);
  if (status !== 200) return;
  const before = facts.acknowledged.get(identity);
  if (before === undefined) {
    facts.acknowledged.set(identity, { request, body: answer.body, requestId: answer.requestId ?? '' });
    return;
  }
  if (before.request.marker !== marker) facts.violations.push(`${identity}: answered for two bodies`);
  else if (before.body !== answer.body) facts.violations.push(`${identity}: answered with other bytes than before`);
};
