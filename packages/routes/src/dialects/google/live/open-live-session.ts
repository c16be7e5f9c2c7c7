import { errorTable, GatewayError, isGatewayError } from '@tollgate/contract';
import { isStorageBusy, withoutApiKeys } from '@tollgate/engine';
import { admit, type Credentials } from '../../../authenticate.ts';
import { fingerprint } from '../../../fingerprint.ts';
import { askedCall } from '../../../hooks/with-asked.ts';
import { openLive } from '../../../live/create-live.ts';
import { serviceOf } from '../../../service-of.ts';
import type { Service } from '../../../service.ts';
import { fromLiveSetup } from './to-live-setup.ts';

/** A session that a socket of this dialect asks for with its key. */
interface AskedSession {
  readonly key: string | null;
  /** The request that opened the socket. */
  readonly upgrade: Omit<Credentials, 'id' | 'method'>;
  readonly setup: unknown;
}

interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  readonly message: string;
}

interface Opened {
  readonly kind: 'opened';
  readonly credential: { readonly id: string; readonly accessKey: string };
}

const refusedBy = ({ logger }: Service, requestId: string, cause: unknown): Refused => {
  if (!isGatewayError(cause) && !isStorageBusy(cause))
    logger.error('a session of another wire could not be opened', { requestId, cause });
  const { code, message } = isGatewayError(cause) ? cause : new GatewayError('service_unavailable');
  return { kind: 'refused', status: errorTable[code].status, message: withoutApiKeys(message) };
};

/**
 * Opens the session that the setup of a socket asks for, with the checks, the rate limit and the hold of POST /live. It has no
 * identity: a client that opens another socket wants another session. Never rejects.
 */
export const openLiveSessionOf =
  (service: Service) =>
  async ({ key, upgrade, setup }: AskedSession): Promise<Opened | Refused> => {
    const requestId = service.newRequestId();
    try {
      const request = { ...upgrade, id: requestId, method: 'GET' };
      const access = await admit(service, request, { key, route: 'createLiveSession', purpose: 'opening' });
      const asked = fromLiveSetup(setup);
      const call = askedCall({ route: 'createLiveSession', identity: null, header: () => null }, setup);
      const caller = service.requestHook === null ? access : { ...access, asked: call };
      const print = fingerprint('POST', '/live', Buffer.from(JSON.stringify(setup)));
      const { ticket } = await openLive(serviceOf(service, caller), caller, {
        ...asked,
        identity: null,
        fingerprint: print,
      });
      return { kind: 'opened', credential: { id: ticket.id, accessKey: ticket.accessKey } };
    } catch (cause) {
      return refusedBy(service, requestId, cause);
    }
  };
