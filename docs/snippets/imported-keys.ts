import { createHash } from 'node:crypto';
import type { Gateway, GatewayOptions } from 'tollgate';

type Authenticate = NonNullable<GatewayOptions['authenticate']>;

// #region old-keys
/** What `tollgate import` printed of a key, by its reference. */
export type ImportedKeys = ReadonlyMap<string, { readonly projectId: string; readonly keyId: string }>;

/** Where clients put their key: those of OpenAI, of Anthropic and of Google. */
const credentialOf = (headers: Headers): string | null =>
  /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ??
  headers.get('x-api-key') ??
  headers.get('x-goog-api-key');

/** Keys of the old gateway go on working: their SHA-256 is the reference under which they were imported. */
export const byOldKey =
  (imported: ImportedKeys): Authenticate =>
  ({ headers }) => {
    const credential = credentialOf(headers);
    if (credential === null) return null;
    const hash = createHash('sha256').update(credential).digest('hex');
    return imported.get(hash) ?? null;
  };
// #endregion old-keys

// #region read-keys
/** Reads the CSV that `tollgate import` printed. References that are hashes hold neither commas nor quotes. */
export const readImportedKeys = (csv: string): ImportedKeys =>
  new Map(
    csv
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => {
        const [, , projectId = '', reference = '', keyId = ''] = line.split(',');
        return [reference, { projectId, keyId }];
      }),
  );
// #endregion read-keys

// #region counter
/** A counter of your own becomes a wallet: the same id and reference can be sent again and change nothing. */
export const moveUser = async (
  admin: Gateway['admin'],
  user: { readonly id: string; readonly email: string; readonly creditsMicros: bigint },
): Promise<string | null> => {
  await admin.createAccount({ id: user.id, name: user.email });
  await admin.createProject({ id: user.id, accountId: user.id, name: 'default' });
  if (user.creditsMicros > 0n)
    await admin.deposit({ accountId: user.id, amountMicros: user.creditsMicros, reference: 'import:counter' });
  const made = await admin.createKeyOnce({ projectId: user.id, reference: 'first' });
  return made?.key ?? null;
};
// #endregion counter
