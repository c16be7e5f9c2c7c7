import { defaultQuotas } from '../../packages/engine/src/decisions/quotas.ts';
import type { OpenCommand } from '../../packages/engine/src/decisions/open.ts';
import type { ResourceDraft, ResourceUse } from '../../packages/engine/src/decisions/resource-draft.ts';
import type { MoneyBody } from './command.ts';
import { leaseMs } from './slot.ts';
import type { SlotUse } from './work-command.ts';

type Opening = Extract<MoneyBody, { readonly kind: 'open' }>;

/** How long blobs are guarded that the work needs. */
const guardedMs = 20;

const draftOf = ({ slot, deferral }: Opening): ResourceDraft | null => {
  if (deferral === undefined || slot.kind === undefined || slot.kind === 'live') return null;
  const { execution, expiresAfter, items, parent } = deferral;
  return {
    kind: slot.kind,
    displayName: null,
    parent,
    availability: execution === 'nothing' ? 'active' : 'follows',
    publicFields: { completed_count: 0, failed_count: 0, document_count: 0 },
    work: { mark: 0 },
    expiresAfterMs: expiresAfter,
    items: Array.from({ length: items }, (_, place) => ({ key: `item ${place}` })),
  };
};

const useOf = ({ id, kind, whenCompleted, kept }: SlotUse): ResourceUse => ({
  id,
  kind,
  model: null,
  ...(whenCompleted ? { whenCompleted } : {}),
  ...(kept === null ? {} : { keptMs: kept }),
});

const laterOf = (body: Opening): Pick<OpenCommand, 'deferred' | 'live'> => {
  const draft = draftOf(body);
  return {
    ...(draft === null || body.deferral === undefined
      ? {}
      : { deferred: { resource: draft, execution: body.deferral.execution } }),
    ...(body.accessMs === undefined
      ? {}
      : { live: { accessHash: 'right', accessValidMs: body.accessMs, origins: null, config: {} } }),
  };
};

/** The command of an opening. */
export const openCommand = (body: Opening, repeated: boolean): OpenCommand => ({
  operationId: body.slot.operationId,
  keyId: body.slot.keyId,
  projectId: body.slot.projectId,
  accountId: body.slot.accountId,
  kind: body.slot.kind ?? 'chat_completion',
  model: 'm',
  identity: body.slot.identity,
  fingerprint: body.fingerprint,
  holdMicros: BigInt(body.hold),
  tariffVersion: 't1',
  answerForm: 'json',
  quotas: defaultQuotas,
  refusal: body.refused ? 'unsupported_parameter' : null,
  owner: body.owner,
  leaseMs,
  repeated,
  ...laterOf(body),
  uses: (body.uses ?? []).map(useOf),
  ...(body.guard === undefined ? {} : { guard: { blobKeys: body.guard, keptMs: guardedMs } }),
});
