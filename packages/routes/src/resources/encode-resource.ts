import { resourceState, type ResourceKind } from '@tollgate/contract';
import { creditsFromMicros, type FoundResource } from '@tollgate/engine';
import type { ResourceRecord } from '@tollgate/storage';
import type { Service } from '../service.ts';

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

// Drafts and closings alone write it, and both hold an object.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const shownOf = (resource: ResourceRecord) => resource.shown as Readonly<Record<string, unknown>>;

const completedAtMs = ({ operation }: FoundResource): number | null =>
  operation.state === 'completed' ? operation.endedAtMs : null;

/** The result with its receipt: the stored text is JSON already and is put in as it is (resources:record:result-credits). */
const encodeResult = (brand: string, { operation, result }: FoundResource): string => {
  if (result === null) return 'null';
  const { id, projectId, chargedMicros } = operation;
  const receipt = { request_id: id, project_id: projectId, credits: creditsFromMicros(chargedMicros) };
  const members = result.slice(1, -1);
  return `{${members}${members === '' ? '' : ','}${JSON.stringify(brand)}:${JSON.stringify(receipt)}}`;
};

/** The public record of a resource as JSON text (resources:record:common). `more` comes last before the result. */
export const encodeResource = (
  service: Service,
  found: FoundResource,
  more: Readonly<Record<string, unknown>> = {},
): string => {
  const { operation, resource } = found;
  const record = JSON.stringify({
    id: resource.id,
    object: resource.kind,
    request_id: operation.id,
    status: resourceState(resource.standing, operation.state),
    model: resource.model,
    display_name: resource.displayName,
    charged_credits: creditsFromMicros(operation.chargedMicros),
    reserved_credits: creditsFromMicros(operation.holdMicros),
    error_code: operation.errorCode,
    created_at: new Date(resource.createdAtMs).toISOString(),
    updated_at: new Date(Math.max(resource.updatedAtMs, operation.updatedAtMs)).toISOString(),
    completed_at: isoOrNull(completedAtMs(found)),
    expires_at: isoOrNull(resource.expiresAtMs),
    ...shownOf(resource),
    ...more,
  });
  return `${record.slice(0, -1)},"result":${encodeResult(service.brand, found)}}`;
};

/** The list envelope (resources:list:envelope). */
export const encodeResourceList = (service: Service, found: readonly FoundResource[]): string =>
  `{"object":"list","data":[${found.map((one) => encodeResource(service, one)).join(',')}]}`;

/** Where a client finds the media of a resource (resources:record:urls). */
export const contentPath = (service: Service, kind: ResourceKind, id: string, index: number): string =>
  `${service.basePath}/${kind}s/${id}/content?index=${index}`;
