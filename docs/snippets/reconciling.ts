import type { Gateway } from 'tollgate';

type Admin = Gateway['admin'];

// #region verdict
/** Charges a lost request by the information of the upstream's support; returns whether it is resolved now. */
export const chargeByTicket = async (
  admin: Admin,
  operationId: string,
  ticket: { id: string; inputTokens: number },
) => {
  const answer = await admin.resolveOperation(
    operationId,
    { executed: true, usage: [{ unit: 'input_text_tokens', quantity: ticket.inputTokens }] },
    { by: 'support', reason: 'the upstream answered our ticket', reference: ticket.id },
  );
  return answer.kind === 'resolved' || answer.kind === 'pending';
};
// #endregion verdict

// #region bill
/** Reads the lines of a bill from the upstream's own API; returns the operations that are still uncertain. */
export const readBill = async (admin: Admin, lines: AsyncIterable<{ requestId: string; inputTokens: number }>) => {
  const report = await admin.reconcile({
    rows: toRows(lines),
    covers: { fromMs: Date.UTC(2026, 10, 1), untilMs: Date.UTC(2026, 11, 1) },
    provider: 'openai',
    apply: true,
    note: { by: 'billing job', reference: 'openai 2026-11' },
  });
  return report.proposals.filter(({ proposal }) => proposal.kind === 'none');
};

async function* toRows(lines: AsyncIterable<{ requestId: string; inputTokens: number }>) {
  for await (const { requestId, inputTokens } of lines)
    yield { id: requestId, usage: [{ unit: 'input_text_tokens', quantity: inputTokens }] };
}
// #endregion bill
