import type { Access, LimitReport } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import type { Service } from '../service.ts';

type Headers = Readonly<Record<string, string>>;

/** Of a caller with limits at several levels, the one that leaves the least. */
const tightestOf = (reports: readonly LimitReport[], amount: LimitReport['amount']): LimitReport | null => {
  let tightest: LimitReport | null = null;
  for (const report of reports)
    if (report.amount === amount && (tightest === null || report.remaining < tightest.remaining)) tightest = report;
  return tightest;
};

const minuteMs = 60_000;
const secondMs = 1_000;

/** A duration as OpenAI writes it: `12ms`, `1.5s`, `6m0s`. */
export const toDuration = (ms: number): string => {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole < secondMs) return `${whole}ms`;
  const minutes = Math.floor(whole / minuteMs);
  const seconds = (whole % minuteMs) / secondMs;
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds}s`;
};

const openaiHeaders = ({ amount, limit, remaining, resetMs }: LimitReport): Headers => ({
  [`x-ratelimit-limit-${amount}`]: String(limit),
  [`x-ratelimit-remaining-${amount}`]: String(remaining),
  [`x-ratelimit-reset-${amount}`]: toDuration(resetMs),
});

/** These clients read the time of day, in whole seconds. */
const toTimestamp = (ms: number): string =>
  new Date(Math.ceil(ms / secondMs) * secondMs).toISOString().replace('.000Z', 'Z');

const anthropicHeaders = ({ amount, limit, remaining, resetMs }: LimitReport, nowMs: number): Headers => ({
  [`anthropic-ratelimit-${amount}-limit`]: String(limit),
  [`anthropic-ratelimit-${amount}-remaining`]: String(remaining),
  [`anthropic-ratelimit-${amount}-reset`]: toTimestamp(nowMs + resetMs),
});

/** Where a caller stands, in the headers of its dialect: those of Anthropic for its clients, those of OpenAI for every other. */
export const limitHeaders = (
  reports: readonly LimitReport[],
  dialect: GatewayRequest['dialect'],
  nowMs: number,
): Headers => {
  const headers: Record<string, string> = {};
  for (const amount of ['requests', 'tokens'] as const) {
    const report = tightestOf(reports, amount);
    if (report !== null)
      Object.assign(headers, dialect === 'anthropic' ? anthropicHeaders(report, nowMs) : openaiHeaders(report));
  }
  return headers;
};

/** What one request heard of its limits; null where nothing is limited. */
export type HeardReports = LimitReport[] | null;

/** A place for what the request is going to hear. */
export const openHearing = ({ engine }: Pick<Service, 'engine'>): HeardReports =>
  engine.host.limiter === null ? null : [];

/** The same caller, whose report is heard of by this request. */
export const heardBy = (heard: HeardReports, access: Access): Access =>
  heard === null ? access : { ...access, onReports: (reports) => void heard.splice(0, heard.length, ...reports) };

/** The response with what the request heard. */
export const withReports = (
  { engine }: Pick<Service, 'engine'>,
  heard: HeardReports,
  { dialect }: Pick<GatewayRequest, 'dialect'>,
  answer: GatewayResponse,
): GatewayResponse =>
  heard === null || heard.length === 0
    ? answer
    : { ...answer, headers: { ...answer.headers, ...limitHeaders(heard, dialect, engine.clock.wallClockMs()) } };
