import { operationStates } from '@tollgate/contract';
import type { OperationSearch } from '@tollgate/engine';
import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { AdminError, foundOr404 } from '../admin-error.ts';
import { wholeList, wirePage } from '../cursor.ts';
import { requireAccount, requireKey, requireOperation, requireProject } from '../own.ts';
import { pageOf, pageParameters, rangeOf, rangeParameters } from '../parameters.ts';
import { Id, listOf } from '../records/fields.ts';
import { Anomaly, Operation, OperationLife, OperationPart, StoredAnswer } from '../records/operation-records.ts';
import { shownLife, shownOperation } from '../shown-operation.ts';

const operation = z.strictObject({ operation_id: Id });

/** An owner names something of its own; an operator may name a state before the end alone. */
const requireOwnSearch = async (context: AdminContext, search: OperationSearch): Promise<void> => {
  if (search.projectId !== undefined) await requireProject(context, search.projectId);
  if (search.keyId !== undefined) await requireKey(context, search.keyId);
  if (search.accountId !== undefined) requireAccount(context, search.accountId);
  const isNamed = search.projectId !== undefined || search.keyId !== undefined || search.accountId !== undefined;
  if (!isNamed && context.caller.role === 'owner')
    throw new AdminError(
      'invalid_request',
      'The query names neither project_id, key_id nor account_id; accepted is one.',
    );
};

/** Operations and what happened to them. */
export const operationRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'findOperations',
    path: '/operations',
    summary: 'List operations by account, project, key, model, state and time',
    role: 'owner',
    covers: ['findOperations', 'listOperations'],
    pathParameters: nothing,
    queryParameters: z.strictObject({
      ...pageParameters,
      ...rangeParameters,
      account_id: Id.exactOptional(),
      project_id: Id.exactOptional(),
      key_id: Id.exactOptional(),
      model: Id.exactOptional(),
      state: z.enum(operationStates).exactOptional(),
    }),
    success: {
      status: 200,
      description: 'A page, newest first; the query names an account, a project, a key, or a state before the end.',
      schema: listOf(Operation),
    },
    run: async (context, { query }) => {
      const { account_id: accountId, project_id: projectId, key_id: keyId, model, state } = query;
      const search = { accountId, projectId, keyId, model, state, ...rangeOf(query), ...pageOf(query) };
      await requireOwnSearch(context, search);
      const { items, next } = await context.admin.findOperations(search);
      return json(wirePage({ items: items.map((one) => shownOperation(context.caller, one)), next }));
    },
  }),
  adminRoute({
    ...reads,
    id: 'findOperationByIdentity',
    path: '/operations/by-identity',
    summary: 'Find the operation of an Idempotency-Key',
    role: 'owner',
    covers: ['findOperationByIdentity'],
    pathParameters: nothing,
    queryParameters: z.strictObject({ project_id: Id, identity: Id }),
    success: { status: 200, description: 'The operation.', schema: Operation },
    run: async (context, { query }) => {
      const { id: projectId } = await requireProject(context, query.project_id);
      const found = await context.admin.findOperationByIdentity({ projectId, identity: query.identity });
      return json(shownOperation(context.caller, foundOr404(found)));
    },
  }),
  adminRoute({
    ...reads,
    id: 'readOperation',
    path: '/operations/{operation_id}',
    summary: 'Read one operation',
    role: 'owner',
    covers: ['readOperation'],
    pathParameters: operation,
    queryParameters: nothing,
    success: { status: 200, description: 'The operation.', schema: Operation },
    run: async (context, { path }) =>
      json(shownOperation(context.caller, await requireOperation(context, path.operation_id))),
  }),
  adminRoute({
    ...reads,
    id: 'readOperationLife',
    path: '/operations/{operation_id}/life',
    summary: 'Read what happened to an operation, in the order of time',
    role: 'owner',
    covers: ['readOperationLife'],
    pathParameters: operation,
    queryParameters: nothing,
    success: { status: 200, description: 'Its life.', schema: OperationLife },
    run: async (context, { path }) => {
      await requireOperation(context, path.operation_id);
      const life = foundOr404(await context.admin.readOperationLife(path.operation_id));
      return json(shownLife(context.caller, life));
    },
  }),
  adminRoute({
    ...reads,
    id: 'listParts',
    path: '/operations/{operation_id}/parts',
    summary: 'List the upstream requests of an operation, or the items of a batch',
    role: 'operator',
    covers: ['listParts'],
    pathParameters: operation,
    queryParameters: nothing,
    success: { status: 200, description: 'The parts, in their order.', schema: listOf(OperationPart) },
    run: async ({ admin }, { path }) => json(wholeList(foundOr404(await admin.listParts(path.operation_id)))),
  }),
  adminRoute({
    ...reads,
    id: 'readStoredAnswer',
    path: '/operations/{operation_id}/answer',
    summary: 'Read the stored answer, or what was sent of a stream that was cut',
    role: 'owner',
    covers: ['readStoredAnswer'],
    pathParameters: operation,
    queryParameters: nothing,
    success: { status: 200, description: 'The text; null where it is larger than 16 MiB.', schema: StoredAnswer },
    run: async (context, { path }) => {
      await requireOperation(context, path.operation_id);
      return json(foundOr404(await context.admin.readStoredAnswer(path.operation_id)));
    },
  }),
  adminRoute({
    ...reads,
    id: 'findAnomalies',
    path: '/anomalies',
    summary: 'List what should not have happened and changed no credits',
    role: 'operator',
    covers: ['findAnomalies'],
    pathParameters: nothing,
    queryParameters: z.strictObject({
      ...pageParameters,
      account_id: Id.exactOptional(),
      operation_id: Id.exactOptional(),
    }),
    success: { status: 200, description: 'A page, newest first.', schema: listOf(Anomaly) },
    run: async ({ admin }, { query }) =>
      json(
        wirePage(
          await admin.findAnomalies({
            ...pageOf(query),
            accountId: query.account_id,
            operationId: query.operation_id,
          }),
        ),
      ),
  }),
];
