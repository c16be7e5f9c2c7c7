import { isUuid } from '@tollgate/contract';
import { takeAccess, type TakeAccessAnswer } from '../decisions/live-access.ts';
import type { Engine } from '../engine.ts';
import { commit, patienceOf, persist } from '../operations/persist.ts';
import { hashAccessKey } from './live-access-key.ts';

/** A credential as a socket brings it. */
export interface LiveCredential {
  readonly id: string;
  readonly accessKey: string;
}

/**
 * Takes the session of a credential for one socket, which a page of the origin has opened, or none (null), whose operation then runs in this process. Throws where the storage could
 * not say; should the session have been taken all the same, it is released as nothing was handed to a provider.
 */
export const takeLiveAccess = async (
  engine: Engine,
  credential: LiveCredential,
  origin: string | null,
): Promise<TakeAccessAnswer> => {
  const { id, accessKey } = credential;
  if (!isUuid(id)) return { kind: 'refused' };
  const owner = `${engine.owner}/${engine.newId()}`;
  const records = await persist(patienceOf(engine), () => engine.storage.read([{ table: 'operation', id }]));
  const operation = records.get('operation', id);
  if (operation === undefined) return { kind: 'refused' };
  const { keyId, projectId, accountId } = operation;
  const { leaseMs } = engine.limits;
  const command = { id, keyId, projectId, accountId, accessHash: hashAccessKey(accessKey), origin, owner, leaseMs };
  try {
    const answer = await commit(engine, takeAccess(command));
    if (answer.kind === 'taken') engine.running.add(id, engine.owner);
    return answer;
  } catch (cause) {
    engine.running.addUnconfirmed({ operationId: id, accountId: '', owner });
    throw cause;
  }
};
