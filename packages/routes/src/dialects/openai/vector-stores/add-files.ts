import { createHash } from 'node:crypto';
import { GatewayError } from '@tollgate/contract';
import { lacksMeans, type Access, type ResourcePlan, type ResourceWire } from '@tollgate/engine';
import { sumOf } from '../../../batches/plan-batch.ts';
import { requireFile } from '../../../files/file-queries.ts';
import { resolveFiles } from '../../../files/resolve-files.ts';
import { present } from '../../../present.ts';
import { createPlanned, type CreatedResource } from '../../../resources/create-resource-answer.ts';
import type { Service } from '../../../service.ts';
import { planDocument } from '../../../stores/create-document.ts';
import { storeFileWire } from './store-files.ts';
import type { AddedFile } from './vector-store-body.ts';

/** A request that adds files to a store. */
export interface AddingRequest {
  readonly access: Access;
  readonly identity: string | null;
  readonly fingerprint: string;
  readonly storeId: string;
  /** The batch that the files are added by. */
  readonly batch?: string | undefined;
}

const wireOfFile = async (
  service: Service,
  { access, batch }: AddingRequest,
  { fileId, attributes }: AddedFile,
): Promise<ResourceWire> => {
  const { sizeBytes } = await requireFile(service, access, fileId);
  return {
    name: storeFileWire,
    echo: { attributes: attributes ?? null, bytes: sizeBytes, ...present('batch', batch) },
  };
};

/** Refuses files that the project does not have, before there is anything for them. */
export const requireFiles = async (service: Service, access: Access, files: readonly AddedFile[]): Promise<void> => {
  const ids = files.map(({ fileId }) => fileId);
  await resolveFiles(service, access, ids, '');
};

/** The document of one file, under an identity and with a body of its own. */
export const planFile = async (service: Service, adding: AddingRequest, file: AddedFile): Promise<ResourcePlan> => {
  const { access, identity, fingerprint, storeId } = adding;
  const wire = await wireOfFile(service, adding, file);
  return planDocument(
    service,
    access,
    { store: storeId, file: file.fileId.toLowerCase() },
    {
      identity,
      fingerprint,
      wire,
    },
  );
};

/** What identifies one of several operations of a request: a repeat of the request finds each of them again. */
const identityOfPart = ({ identity }: AddingRequest, place: number): AddingRequest['identity'] =>
  identity === null ? null : `part-${createHash('sha256').update(`${identity}\n${place}`).digest('hex')}`;

/** Refuses what the account could not pay for as a whole, so that it does not pay for a part. */
const requireMeans = async (service: Service, plans: readonly ResourcePlan[]): Promise<void> => {
  const [first] = plans;
  if (first === undefined) return;
  const estimate = sumOf(plans.map((plan) => plan.estimate ?? []));
  if (await lacksMeans(service.engine, { ...first, estimate })) throw new GatewayError('ai_insufficient_credits');
};

/**
 * Adds files to a store, each as an operation of its own. All of them are checked before the first is opened. Where one is refused all
 * the same, those before it stay; a repeat with the same identity finds them, and goes on.
 */
export const addFiles = async (
  service: Service,
  adding: AddingRequest,
  files: readonly AddedFile[],
): Promise<readonly CreatedResource[]> => {
  const plans: ResourcePlan[] = [];
  for (const [place, file] of files.entries())
    plans.push(await planFile(service, { ...adding, identity: identityOfPart(adding, place) }, file));
  await requireMeans(service, plans);
  const created: CreatedResource[] = [];
  for (const plan of plans) created.push(await createPlanned(service, plan));
  return created;
};
