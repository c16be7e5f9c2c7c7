import { creditsFromMicros, microsFromCredits, type Gateway } from 'tollgate';

type Admin = Gateway['admin'];

// #region deposit
/** The reference makes it repeatable: the same again changes nothing, another amount under it is a conflict. */
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
 * Decides what stayed uncertain by what the upstream's own bill says; null where the bill does not know it. Ask only once the bill
 * is complete: what is not in it yet would be given away.
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
    // At most 100 at a time, the newest first.
    page = await admin.listOperations({ kind: 'state', state: 'uncertain' }, page.at(-1));
  }
};
// #endregion resolve

// #region audit
export const checkBooks = async (admin: Admin): Promise<void> => {
  const report = await admin.audit();
  for (const { rule, accountId, detail } of report.violations) console.error(rule, accountId, detail);
  if (report.violations.length > 0) throw new Error('the books do not hold');
};
// #endregion audit
