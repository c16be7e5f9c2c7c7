import { limits } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { fingerprint } from '../../../fingerprint.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { identityOf } from '../../../identity-of.ts';
import { openLive } from '../../../live/create-live.ts';
import { readJson } from '../../../read-json.ts';
import type { Service } from '../../../service.ts';
import { fromAuthToken } from './to-live-setup.ts';

/** `POST auth_tokens`: the access to one session, as the one text that these clients use in place of a key. */
export const createAuthToken = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readJson(service, request, limits.bodyBytesMax.other);
  const asked = fromAuthToken(body.value, service.engine.clock.wallClockMs());
  const named = { identity, fingerprint: fingerprint('POST', '/auth_tokens', body.bytes) };
  const { ticket, replayed } = await openLive(service, access, { ...asked, ...named });
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': ticket.id,
      'idempotency-replayed': String(replayed),
    },
    body: JSON.stringify({
      name: `auth_tokens/${ticket.id}.${ticket.accessKey}`,
      newSessionExpireTime: new Date(ticket.expiresAtMs).toISOString(),
      uses: 1,
    }),
  };
};
