import type { AccountRecord, ApiKeyRecord, Decide, Key, ProjectRecord, Write } from '@tollgate/storage';
import { emptyWallet } from '../../packages/engine/src/decisions/wallet.ts';
import type { CommandBody } from './command.ts';
import { places } from './slot.ts';
import type { Told } from './told.ts';

type Access = Extract<CommandBody, { readonly kind: 'access' }>;

const set: Told = { text: 'set' };

/** Lets a key, a project or an account in or keeps it out, as an administrator does. */
export const setAccess = (body: Access): { readonly keys: () => readonly Key[]; readonly decide: Decide<Told> } => {
  const table = body.of === 'key' ? 'apiKey' : body.of;
  const decide: Decide<Told> = (records) => {
    const record = records.get(table, body.id);
    if (record === undefined) throw new Error(`no ${table} ${body.id}`);
    // The status fits the table: the command's own type pairs them.
    const write = { kind: 'put', table, record: { ...record, status: body.status } } as Write;
    return { writes: [write], answer: set };
  };
  return { keys: () => [{ table, id: body.id }], decide };
};

/** The records of a world before its first command: everybody may come in, and only the first account has a wallet yet. */
export const firstWrites = (prefix: string): readonly Write[] => {
  const put = places.flatMap((place): readonly Write[] => {
    const [accountId, projectId] = [prefix + place.accountId, prefix + place.projectId];
    const project: ProjectRecord = {
      id: projectId,
      accountId,
      name: '',
      status: 'active',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      limits: null,
    };
    const key: ApiKeyRecord = {
      id: prefix + place.keyId,
      projectId,
      accountId,
      name: '',
      model: null,
      secretHash: '',
      status: 'active',
      createdAtMs: 1,
      revokedAtMs: null,
      expiresAtMs: null,
      models: null,
      cap: null,
      limits: null,
      metadata: null,
      reference: null,
      lastUsedAtMs: null,
    };
    return [
      { kind: 'put', table: 'project', record: project },
      { kind: 'put', table: 'apiKey', record: key },
    ];
  });
  const accounts = [...new Set(places.map((place) => prefix + place.accountId))].map((id): Write => {
    const record: AccountRecord = {
      id,
      name: '',
      status: 'active',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      limits: null,
      plan: null,
    };
    return { kind: 'put', table: 'account', record };
  });
  return [...accounts, ...put, { kind: 'put', table: 'wallet', record: emptyWallet(`${prefix}a1`) }];
};
