import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminRoute } from '../admin-route.ts';
import { AdminError, foundOr404 } from '../admin-error.ts';
import { wirePage } from '../cursor.ts';
import { requireKey, requireProject } from '../own.ts';
import { pageOf, pageParameters, searchParameter } from '../parameters.ts';
import { CreatedKey, Key, keyStatuses } from '../records/account-records.ts';
import { Id, listOf, Name } from '../records/fields.ts';
import { byWireName, termsFields, termsOf } from './key-terms.ts';

const project = z.strictObject({ project_id: Id });
const key = z.strictObject({ key_id: Id });

const referenceText = z.string().min(1).max(200);

/** By which a repeat makes no second key. */
const KeyReference = referenceText.meta({
  description:
    'Unique in the project: the same again returns the key that it made. The Idempotency-Key stands in for it.',
});

/** Keys of projects. */
export const keyRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'findKeys',
    path: '/projects/{project_id}/keys',
    summary: 'List the keys of a project',
    role: 'owner',
    covers: ['findKeys', 'listKeys'],
    pathParameters: project,
    queryParameters: z.strictObject({
      ...pageParameters,
      ...searchParameter,
      reference: referenceText
        .exactOptional()
        .meta({ description: 'Keeps the key that was made with this reference alone.' }),
    }),
    success: { status: 200, description: 'A page, newest first, without the keys themselves.', schema: listOf(Key) },
    run: async (context, { path, query }) => {
      const { id: projectId } = await requireProject(context, path.project_id);
      const { search, reference } = query;
      return json(wirePage(await context.admin.findKeys({ projectId, ...pageOf(query), search, reference })));
    },
  }),
  adminRoute({
    id: 'createKey',
    method: 'POST',
    path: '/projects/{project_id}/keys',
    summary: 'Make a key of a project',
    role: 'owner',
    covers: ['createKey', 'createKeyOnce'],
    takesIdentity: true,
    pathParameters: project,
    queryParameters: nothing,
    request: z.strictObject({
      ...termsFields,
      name: Name.exactOptional(),
      reference: KeyReference.exactOptional(),
      model: z
        .string()
        .nullable()
        .exactOptional()
        .meta({ description: 'The model that the key is bound to for life; null, or none, chooses automatically.' }),
    }),
    success: {
      status: 201,
      description: 'The key, which is shown this once; null where the reference has made it before.',
      schema: CreatedKey,
    },
    run: async (context, { path, body }) => {
      const { id: projectId } = await requireProject(context, path.project_id);
      const { name, model = null } = body;
      const input = { ...termsOf(context, body), name, model, projectId };
      const reference = body.reference ?? context.identity;
      const created = await byWireName(
        body,
        reference === null ? context.admin.createKey(input) : context.admin.createKeyOnce({ ...input, reference }),
      );
      if (created === null) throw new AdminError('conflict', 'The project is closed.');
      return json(created);
    },
  }),
  adminRoute({
    ...reads,
    id: 'readKey',
    path: '/keys/{key_id}',
    summary: 'Read one key, without the key itself',
    role: 'owner',
    covers: ['readKey'],
    pathParameters: key,
    queryParameters: nothing,
    success: { status: 200, description: 'The key.', schema: Key },
    run: async (context, { path }) => json(await requireKey(context, path.key_id)),
  }),
  adminRoute({
    id: 'changeKey',
    method: 'PATCH',
    path: '/keys/{key_id}',
    summary: 'Rename or bound a key, switch it off or on, or revoke it for good',
    role: 'owner',
    covers: ['changeKey', 'setKeyStatus'],
    pathParameters: key,
    queryParameters: nothing,
    request: z.strictObject({
      ...termsFields,
      name: Name.exactOptional(),
      status: z.enum(keyStatuses).exactOptional(),
    }),
    success: { status: 200, description: 'The key as it is now.', schema: Key },
    run: async (context, { path, body }) => {
      await requireKey(context, path.key_id);
      const { name, status } = body;
      const change = { ...termsOf(context, body), name, status };
      return json(foundOr404(await byWireName(body, context.admin.changeKey(path.key_id, change))));
    },
  }),
];
