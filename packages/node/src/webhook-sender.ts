import type { IncomingHttpHeaders } from 'node:http';
import type { SendOutcome, WebhookSender } from '@tollgate/engine';
import { callable, timerMs, type OptionChecks } from '@tollgate/contract/configuration';
import { egressChecks } from './egress/egress-options-check.ts';
import { labelCharsMax, type EgressRefusal } from './egress/egress-url.ts';
import { createEgress, type EgressOptions } from './egress/guarded-request.ts';

export interface WebhookSenderOptions extends Omit<EgressOptions, 'schemes'> {
  /** For one attempt, from the name to the end of the answer. */
  readonly attemptMs?: number;
  /** Tells how far away a date is; the system's clock by default. */
  readonly wallClockMs?: () => number;
}

const { schemes: _schemes, ...senderEgressChecks } = egressChecks;

/** Each option of a sender of events. */
export const webhookSenderChecks: OptionChecks<WebhookSenderOptions> = {
  ...senderEgressChecks,
  attemptMs: timerMs({ min: 1 }),
  wallClockMs: callable(),
};

const attemptMsDefault = 10_000;
const idleMsDefault = 4_000;
/** What is read of an answer, so that its connection can be used again; the rest is not waited for. */
const drainedBytesMax = 16_384;

/** What is wrong with an address, in words for the caller. */
const reasons: Readonly<Record<EgressRefusal, string>> = {
  malformed: 'url must be an absolute address without spaces, control characters or backslashes.',
  scheme: 'url must begin with https.',
  port: 'url must use port 443.',
  credentials: 'url must not hold credentials.',
  ip_address: 'url must name its host; an IP address is not accepted.',
  host_name: `the host of url must be written in letters, digits, hyphens and full stops, each part ${labelCharsMax} characters at the most; a name of another script must have an ASCII form (xn--).`,
  host: 'url must name a host of the public DNS; names without a full stop, and those that end in .local, .internal, .test and the like, are not accepted.',
  not_public: 'url must lead to public IPv4 addresses only.',
  not_allowed: 'url must lead where requests may go.',
};
const unresolved = 'url must name a host that has a public IPv4 address.';

const httpDateShape = /^[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/iu;

/** Seconds, or a date; null where it is neither. */
const readRetryAfterMs = ({ 'retry-after': value }: IncomingHttpHeaders, nowMs: number): number | null => {
  if (value === undefined) return null;
  if (/^\d{1,9}$/u.test(value)) return Number(value) * 1000;
  const untilMs = httpDateShape.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(untilMs) ? null : Math.max(0, untilMs - nowMs);
};

/**
 * Sends events from this process: to public addresses only, checked again before each attempt, over TLS that the receiver's
 * name vouches for, without redirects, and for no longer than an attempt may take. `agents` of the host, a filtering proxy
 * for one, take the place of our own connections.
 */
export const webhookSender = (options: WebhookSenderOptions = {}): WebhookSender => {
  const { attemptMs = attemptMsDefault, wallClockMs = Date.now } = options;
  const egress = createEgress({ idleMs: idleMsDefault, ...options, schemes: ['https'] });
  return {
    check: async (url) => {
      const verdict = await egress.check(url);
      switch (verdict.kind) {
        case 'checked':
          return { kind: 'allowed', url: verdict.url.href };
        case 'refused':
          return { kind: 'refused', why: reasons[verdict.reason] };
        case 'unresolved':
          return { kind: 'refused', why: unresolved };
      }
    },
    send: async ({ url, headers, body }): Promise<SendOutcome> => {
      const answer = await egress.open({ url, method: 'POST', headers, body, deadlineMs: attemptMs });
      if (answer.kind !== 'answered') return { kind: answer.kind };
      // The answer counts by its status; what follows it decides nothing.
      await answer.discard(drainedBytesMax);
      return {
        kind: 'answered',
        status: answer.status,
        retryAfterMs: readRetryAfterMs(answer.headers, wallClockMs()),
      };
    },
    close: async () => egress.close(),
  };
};
