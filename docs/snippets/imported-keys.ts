import { createGateway, importedKeys, type Gateway, type GatewayOptions } from 'tollgate';

// #region old-keys
/** Keys of the old gateway go on working: `tollgate import --out` wrote which imported key each stands for. */
export const openGateway = (options: GatewayOptions, file = 'imported.jsonl'): Promise<Gateway> =>
  createGateway({ ...options, authenticate: importedKeys(file) });
// #endregion old-keys

// #region counter
/** A counter of your own becomes a wallet: the same id and reference can be sent again and change nothing. */
export const moveUser = async (
  admin: Gateway['admin'],
  user: { readonly id: string; readonly email: string; readonly creditsMicros: bigint },
): Promise<string | null> => {
  await admin.createAccount({ id: user.id, name: user.email });
  await admin.createProject({ id: user.id, accountId: user.id, name: 'default' });
  if (user.creditsMicros > 0n) {
    const deposit = { accountId: user.id, amountMicros: user.creditsMicros, reference: 'import:counter' };
    const { kind } = await admin.deposit(deposit);
    // A conflict: an earlier run deposited another balance, which a deposit under another reference corrects.
    if (kind !== 'done' && kind !== 'repeated') throw new Error(`the balance of user ${user.id} is refused: ${kind}`);
  }
  const made = await admin.createKeyOnce({ projectId: user.id, reference: 'first' });
  return made?.key ?? null;
};
// #endregion counter
