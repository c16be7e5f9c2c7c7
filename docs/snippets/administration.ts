import { creditsFromMicros, microsFromCredits, type Gateway } from 'tollgate';

type Admin = Gateway['admin'];

// #region deposit
/** The reference makes it repeatable: the same deposit again changes nothing, another amount under the reference is a conflict. */
export const topUp = async (admin: Admin, accountId: string, payment: { id: string; credits: string }) => {
  const answer = await admin.deposit({
    accountId,
    amountMicros: microsFromCredits(payment.credits),
    reference: `payment:${payment.id}`,
  });
  if (answer.kind !== 'done' && answer.kind !== 'repeated') throw new Error(`the deposit was refused: ${answer.kind}`);
  return creditsFromMicros(answer.wallet.balanceMicros);
};
// #endregion deposit

// #region resolve
/**
 * Resolves uncertain operations by the upstream's own bill; null if the bill does not have an operation. Call it only when the bill
 * is complete: an operation that is not in it yet would be released.
 */
export const reconcile = async (admin: Admin, billedCredits: (operationId: string) => Promise<string | null>) => {
  let page = await admin.listOperations({ kind: 'state', state: 'uncertain' });
  while (page.length > 0) {
    for (const { id } of page) {
      const credits = await billedCredits(id);
      await admin.resolveOperation(
        id,
        credits === null ? { executed: false } : { executed: true, amountMicros: microsFromCredits(credits) },
      );
    }
    // At most 100 and at most 1 MiB at a time, the newest first; an empty page is the end.
    page = await admin.listOperations({ kind: 'state', state: 'uncertain' }, page.at(-1));
  }
};
// #endregion resolve

// #region audit
export const checkBooks = async (admin: Admin): Promise<void> => {
  const report = await admin.audit();
  for (const { rule, accountId, detail } of report.violations) console.error(rule, accountId, detail);
  if (report.violations.length > 0) throw new Error('the ledger does not hold');
};
// #endregion audit
