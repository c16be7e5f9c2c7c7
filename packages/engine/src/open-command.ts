import type { ErrorCode } from '@tollgate/contract';
import type { AnswerForm } from '@tollgate/storage';
import type { AccessIds } from './decisions/access.ts';
import type { OpenCommand } from './decisions/open.ts';
import type { ResourceUse } from './decisions/resource-draft.ts';
import type { Engine } from './engine.ts';

/** What every opening says, whoever executes it. */
export interface Opening {
  readonly operationId: string;
  readonly access: AccessIds;
  readonly kind: string;
  /** Public catalog id. */
  readonly model: string;
  readonly identity: string | null;
  readonly fingerprint: string;
  readonly answerForm: AnswerForm;
  readonly refusal: ErrorCode | null;
  /** Null where there is no tariff: that is refused, but old answers are still replayed. */
  readonly holdMicros: bigint | null;
  readonly uses?: readonly ResourceUse[];
  readonly files?: readonly string[];
}

/** The command of an opening that was not sent before. */
export const openCommand = (engine: Engine, opening: Opening): OpenCommand => ({
  ...opening.access,
  operationId: opening.operationId,
  kind: opening.kind,
  model: opening.model,
  identity: opening.identity,
  fingerprint: opening.fingerprint,
  holdMicros: opening.holdMicros ?? 0n,
  tariffVersion: engine.tariff.version,
  answerForm: opening.answerForm,
  refusal: opening.refusal ?? (opening.holdMicros === null ? 'access_or_service_unavailable' : null),
  // Requests of one process may try under one id that a host's store handed out: none may take another's for its own.
  owner: `${engine.owner}/${opening.operationId}`,
  leaseMs: engine.limits.leaseMs,
  repeated: false,
  ...(opening.uses === undefined ? {} : { uses: opening.uses }),
  ...(opening.files === undefined ? {} : { files: opening.files }),
});
