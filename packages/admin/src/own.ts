import type { Administration, KeyInfo } from '@tollgate/engine';
import type { OperationRecord, ProjectRecord } from '@tollgate/storage';
import type { AdminContext } from './admin-route.ts';
import type { AdminCaller } from './admin-caller.ts';
import { foundOr404, notFound } from './admin-error.ts';

const isOwnProject = (caller: AdminCaller, { id, accountId }: Pick<ProjectRecord, 'id' | 'accountId'>): boolean => {
  if (caller.role === 'operator') return true;
  return caller.accountId === accountId || (caller.projectIds ?? []).includes(id);
};

/** An account that the caller may see; 404 otherwise. */
export const requireAccount = ({ caller }: AdminContext, accountId: string): string => {
  if (caller.role === 'owner' && caller.accountId !== accountId) throw notFound();
  return accountId;
};

/** A project that the caller may see; 404 otherwise. */
export const requireProject = async ({ admin, caller }: AdminContext, projectId: string): Promise<ProjectRecord> => {
  const project = foundOr404(await admin.readProject(projectId));
  if (!isOwnProject(caller, project)) throw notFound();
  return project;
};

/** A key of a project that the caller may see; 404 otherwise. */
export const requireKey = async ({ admin, caller }: AdminContext, keyId: string): Promise<KeyInfo> => {
  const key = foundOr404(await admin.readKey(keyId));
  if (!isOwnProject(caller, { id: key.projectId, accountId: key.accountId })) throw notFound();
  return key;
};

/** An operation of a project that the caller may see; 404 otherwise. */
export const requireOperation = async (
  { admin, caller }: AdminContext,
  operationId: string,
): Promise<OperationRecord> => {
  const operation = foundOr404(await admin.readOperation(operationId));
  if (!isOwnProject(caller, { id: operation.projectId, accountId: operation.accountId })) throw notFound();
  return operation;
};

interface OfProject {
  readonly projectId: string;
}

/** What belongs to a project that the caller may see; 404 otherwise. */
export const requireOfProject = async <T extends OfProject>(context: AdminContext, record: T | null): Promise<T> => {
  const found = foundOr404(record);
  await requireProject(context, found.projectId);
  return found;
};

/** The projects of an owner that are named, without those that are gone. */
export const namedProjects = async (
  admin: Administration,
  projectIds: readonly string[],
): Promise<readonly ProjectRecord[]> => {
  const found = await Promise.all(projectIds.map((id) => admin.readProject(id)));
  return found.flatMap((project) => project ?? []);
};
