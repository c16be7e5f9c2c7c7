import { creditsFromMicros, type Gateway } from 'tollgate';

type Admin = Gateway['admin'];

// #region month
/** What each model cost an account on each day of November, by the days of its own time zone. */
export const novemberOf = async (admin: Admin, accountId: string) => {
  const { items } = await admin.usage({
    fromMs: Date.parse('2026-11-01T00:00+01:00'),
    untilMs: Date.parse('2026-12-01T00:00+01:00'),
    bucket: 'day',
    timeZone: 'Europe/Berlin',
    groupBy: ['model'],
    filter: { accountId },
  });
  return items.map(({ fromMs, model, requests, chargedMicros, units }) => ({
    day: new Date(fromMs).toLocaleDateString('en-CA', { timeZone: 'Europe/Berlin' }),
    model,
    requests,
    credits: creditsFromMicros(chargedMicros),
    inputTokens: units['input_text_tokens'] ?? 0,
  }));
};
// #endregion month

// #region refund
/** Gives back what a request of this account was charged. A repeat gives back nothing more. */
export const refund = async (admin: Admin, accountId: string, requestId: string) => {
  const operation = await admin.readOperation(requestId);
  if (operation?.state !== 'completed' || operation.chargedMicros === 0n) return { kind: 'not_charged' } as const;
  return admin.compensate({
    accountId,
    amountMicros: operation.chargedMicros,
    reference: `refund:${requestId}`,
    operationId: requestId,
  });
};
// #endregion refund

// #region csv
/** A response whose file is read from the database page by page, as the browser takes it. */
export const usageFile = async (admin: Admin, fromMs: number, untilMs: number): Promise<Response> =>
  new Response(await admin.usageCsv({ fromMs, untilMs, bucket: 'day', groupBy: ['accountId', 'model'] }), {
    headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename=usage.csv' },
  });
// #endregion csv
