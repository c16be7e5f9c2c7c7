import type { Page } from '@tollgate/engine';
import type { ProjectRecord } from '@tollgate/storage';
import { z } from 'zod';
import { adminRoute, json, nothing, reads, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { AdminError, foundOr404 } from '../admin-error.ts';
import { wirePage } from '../cursor.ts';
import { namedProjects, requireAccount, requireProject } from '../own.ts';
import { pageOf, pageParameters, searchParameter } from '../parameters.ts';
import { Project, projectStatuses, Quotas } from '../records/account-records.ts';
import { Id, listOf, Metadata, Name } from '../records/fields.ts';
import { stableId } from '../stable-id.ts';
import { limitsField, limitsOf } from './limits-field.ts';

const project = z.strictObject({ project_id: Id });

const change = { name: Name.exactOptional(), metadata: Metadata.nullable().exactOptional(), limits: limitsField };

interface ListInput {
  readonly account_id?: string;
  readonly after?: string;
  readonly limit?: string;
  readonly search?: string;
}

/** All for an operator, those of its account for an owner, or those that an owner has by name, which are one page. */
const findProjects = async (context: AdminContext, query: ListInput): Promise<Page<ProjectRecord>> => {
  const { admin, caller } = context;
  const asked = { ...pageOf(query), search: query.search };
  if (caller.role === 'operator') return admin.findProjects({ ...asked, accountId: query.account_id });
  if (caller.accountId !== undefined)
    return admin.findProjects({
      ...asked,
      accountId: requireAccount(context, query.account_id ?? caller.accountId),
    });
  const named = await namedProjects(admin, caller.projectIds ?? []);
  return { items: named.filter(({ accountId }) => accountId === (query.account_id ?? accountId)), next: null };
};

const isOwn = (status: string): boolean => status === 'active' || status === 'paused';

/** An owner pauses and resumes its projects; blocking them is for the operator to do, and to undo. */
const requireOwnStatus = ({ caller }: AdminContext, before: ProjectRecord, status: string | undefined): void => {
  if (caller.role === 'operator' || status === undefined) return;
  if (!isOwn(status) || !isOwn(before.status))
    throw new AdminError(
      'not_permitted',
      'An owner may set active and paused, and only of a project that is neither blocked nor closed.',
    );
};

/** Projects and what they may keep. */
export const projectRows: readonly AdminRoute[] = [
  adminRoute({
    ...reads,
    id: 'findProjects',
    path: '/projects',
    summary: 'List the projects',
    role: 'owner',
    covers: ['findProjects', 'listProjects'],
    pathParameters: nothing,
    queryParameters: z.strictObject({ ...pageParameters, ...searchParameter, account_id: Id.exactOptional() }),
    success: { status: 200, description: 'A page, newest first.', schema: listOf(Project) },
    run: async (context, { query }) => json(wirePage(await findProjects(context, query))),
  }),
  adminRoute({
    id: 'createProject',
    method: 'POST',
    path: '/projects',
    summary: 'Open a project of an account',
    role: 'owner',
    covers: ['createProject'],
    takesIdentity: true,
    pathParameters: nothing,
    queryParameters: nothing,
    request: z.strictObject({ ...change, account_id: Id, name: Name, id: z.uuid().exactOptional() }),
    success: { status: 201, description: 'The project.', schema: Project },
    run: async (context, { body }) => {
      const { account_id: accountId, id, ...rest } = body;
      requireAccount(context, accountId);
      const limits = limitsOf(context, rest.limits);
      const { identity } = context;
      const stable = identity === null ? undefined : stableId(`project of ${accountId}`, identity);
      // An id of its own choice could name the project of another account, which would be returned.
      if (id !== undefined && context.caller.role === 'owner')
        throw new AdminError('not_permitted', 'An owner gives no id; an Idempotency-Key makes a repeat harmless.');
      const created = await context.admin.createProject({ ...rest, limits, accountId, id: id ?? stable });
      if (created === null) throw new AdminError('conflict', 'There is no such account, or it is closed.');
      return json(created);
    },
  }),
  adminRoute({
    ...reads,
    id: 'readProject',
    path: '/projects/{project_id}',
    summary: 'Read one project',
    role: 'owner',
    covers: ['readProject'],
    pathParameters: project,
    queryParameters: nothing,
    success: { status: 200, description: 'The project.', schema: Project },
    run: async (context, { path }) => json(await requireProject(context, path.project_id)),
  }),
  adminRoute({
    id: 'changeProject',
    method: 'PATCH',
    path: '/projects/{project_id}',
    summary: 'Rename or limit a project, keep texts with it, pause, block or free it',
    role: 'owner',
    covers: ['changeProject', 'setProjectStatus'],
    pathParameters: project,
    queryParameters: nothing,
    request: z.strictObject({ ...change, status: z.enum(projectStatuses).exactOptional() }),
    success: { status: 200, description: 'The project as it is now.', schema: Project },
    run: async (context, { path, body }) => {
      requireOwnStatus(context, await requireProject(context, path.project_id), body.status);
      const asked = { ...body, limits: limitsOf(context, body.limits) };
      return json(foundOr404(await context.admin.changeProject(path.project_id, asked)));
    },
  }),
  adminRoute({
    id: 'closeProject',
    method: 'POST',
    path: '/projects/{project_id}/close',
    summary: 'Close a project for good',
    role: 'operator',
    covers: ['closeProject'],
    pathParameters: project,
    queryParameters: nothing,
    request: nothing,
    success: { status: 200, description: 'The project.', schema: Project },
    run: async ({ admin }, { path }) => json(foundOr404(await admin.closeProject(path.project_id))),
  }),
  adminRoute({
    ...reads,
    id: 'readProjectQuotas',
    path: '/projects/{project_id}/quotas',
    summary: 'Read what a project may keep, and what it keeps',
    role: 'owner',
    covers: ['readProjectQuotas'],
    pathParameters: project,
    queryParameters: nothing,
    success: { status: 200, description: 'The quotas.', schema: Quotas },
    run: async (context, { path }) => {
      await requireProject(context, path.project_id);
      return json(foundOr404(await context.admin.readProjectQuotas(path.project_id)));
    },
  }),
  adminRoute({
    id: 'setProjectQuotas',
    method: 'PUT',
    path: '/projects/{project_id}/quotas',
    summary: 'Give a project quotas of its own in place of all it had; null takes them away',
    role: 'operator',
    covers: ['setProjectQuotas'],
    pathParameters: project,
    queryParameters: nothing,
    request: z.strictObject({ quotas: z.record(z.string(), z.int().min(0)).nullable() }),
    success: { status: 200, description: 'The quotas as they are now.', schema: Quotas },
    run: async ({ admin }, { path, body }) =>
      json(foundOr404(await admin.setProjectQuotas(path.project_id, body.quotas))),
  }),
];
