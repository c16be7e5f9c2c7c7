import { microsFromCredits, tokenBounds } from '@tollgate/engine';
import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { AdminError, foundOr404 } from '../admin-error.ts';
import { requireKey, requireOfProject } from '../own.ts';
import { BrowserToken, CreatedToken } from '../records/token-records.ts';
import { Credits, Id } from '../records/fields.ts';

const key = z.strictObject({ key_id: Id });
const token = z.strictObject({ token_id: Id });

/** A token of a project that the caller may see; 404 otherwise. */
const requireToken = async (context: AdminContext, tokenId: string) =>
  requireOfProject(context, await context.admin.readToken(tokenId));

const creditsIn = (credits: string | null | undefined): bigint | null =>
  credits === null || credits === undefined ? null : microsFromCredits(credits);

/** Tokens for pages, which keys give away. */
export const tokenRows: readonly AdminRoute[] = [
  adminRoute({
    id: 'createToken',
    method: 'POST',
    path: '/keys/{key_id}/tokens',
    summary: 'Make a token of a key, for a page',
    role: 'owner',
    covers: ['createToken'],
    pathParameters: key,
    queryParameters: nothing,
    request: z.strictObject({
      origins: z.array(z.string()).min(1).max(tokenBounds.originsMax).nullable().exactOptional(),
      models: z.array(z.string()).min(1).max(tokenBounds.modelsMax).nullable().exactOptional(),
      budget_credits: Credits.nullable().exactOptional(),
      ttl_seconds: z
        .int()
        .min(1)
        .max(tokenBounds.secondsMax)
        .exactOptional()
        .meta({ description: `How long it lives; by default ${tokenBounds.defaultSeconds} seconds.` }),
    }),
    success: { status: 201, description: 'The token, which is shown this once.', schema: CreatedToken },
    run: async (context, { path, body }) => {
      const { id: keyId } = await requireKey(context, path.key_id);
      const { origins = null, models = null, ttl_seconds: ttlSeconds } = body;
      const budgetMicros = creditsIn(body.budget_credits);
      const created = await context.admin.createToken({ keyId, origins, models, budgetMicros, ttlSeconds });
      if (created === null) throw new AdminError('conflict', 'The key may not be used now.');
      return json(created);
    },
  }),
  adminRoute({
    ...reads,
    id: 'readToken',
    path: '/tokens/{token_id}',
    summary: 'Read one token, without the token itself',
    role: 'owner',
    covers: ['readToken'],
    pathParameters: token,
    queryParameters: nothing,
    success: { status: 200, description: 'The token.', schema: BrowserToken },
    run: async (context, { path }) => json(await requireToken(context, path.token_id)),
  }),
  adminRoute({
    id: 'revokeToken',
    method: 'POST',
    path: '/tokens/{token_id}/revoke',
    summary: 'End a token for good; what it began goes on',
    role: 'owner',
    covers: ['revokeToken'],
    pathParameters: token,
    queryParameters: nothing,
    request: z.strictObject({}),
    success: { status: 200, description: 'The token as it is now.', schema: BrowserToken },
    run: async (context, { path }) => {
      await requireToken(context, path.token_id);
      return json(foundOr404(await context.admin.revokeToken(path.token_id)));
    },
  }),
];
