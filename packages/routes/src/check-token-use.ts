import { GatewayError, type RouteId } from '@tollgate/contract';
import { admitsOrigin, type Access } from '@tollgate/engine';

/** What goes on by itself, or goes elsewhere, after a token has expired, and the rest of a project with it. */
const keptFromTokens: ReadonlySet<RouteId> = new Set<RouteId>([
  'createTrigger',
  'patchTrigger',
  'deleteTrigger',
  'createWebhook',
  'patchWebhook',
  'deleteWebhook',
]);

/** Refuses a token from a page that it is not for, and what no token may do. A key passes. */
export const checkTokenUse = (
  { tokenId, origins = null }: Pick<Access, 'tokenId' | 'origins'>,
  route: RouteId,
  origin: string | null,
): void => {
  if (tokenId === undefined) return;
  if (!admitsOrigin(origins, origin))
    throw new GatewayError('token_not_allowed', {
      detail: 'The token is not for pages of the origin of this request; ask for a token that is.',
    });
  if (keptFromTokens.has(route))
    throw new GatewayError('token_not_allowed', {
      detail: 'A token changes no triggers and no webhooks, which outlive it; use a key.',
    });
};
