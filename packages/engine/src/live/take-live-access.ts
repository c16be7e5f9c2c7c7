import { isUuid } from '@tollgate/contract';
import { decideTakeAccess, liveAccessKeys, type TakeAccessAnswer } from '../decisions/live-access.ts';
import type { Engine } from '../engine.ts';
import { patienceOf, persist } from '../persist.ts';
import { hashAccessKey } from './live-access-key.ts';

/** A credential as a socket brings it. */
export interface LiveCredential {
  readonly id: string;
  readonly accessKey: string;
}

/**
 * Takes the session of a credential for one socket, whose operation then runs in this process. Throws where the storage could
 * not say; should the session have been taken all the same, it is released as nothing was handed to a provider.
 */
export const takeLiveAccess = async (engine: Engine, credential: LiveCredential): Promise<TakeAccessAnswer> => {
  const { id, accessKey } = credential;
  if (!isUuid(id)) return { kind: 'refused' };
  const owner = `${engine.owner}/${engine.newId()}`;
  const command = { id, accessHash: hashAccessKey(accessKey), owner, leaseMs: engine.limits.leaseMs };
  try {
    const answer = await persist(patienceOf(engine), () =>
      engine.storage.transact(liveAccessKeys(id), decideTakeAccess(command)),
    );
    if (answer.kind === 'taken') engine.running.add(id, engine.owner);
    return answer;
  } catch (cause) {
    engine.running.addUnconfirmed({ operationId: id, accountId: '', owner });
    throw cause;
  }
};
