import { GatewayError } from '@tollgate/contract';
import type { GatewayResponse } from '../../gateway-request.ts';
import { openPlanned } from '../../interactions/create-interaction.ts';
import { awaitResource, hasEnded } from '../../resources/await-resource.ts';
import { createdAnswer, type CreatedResource } from '../../resources/create-resource-answer.ts';
import { streamHeaders } from '../../stream-in-time.ts';
import { followCarried } from './follow-carried.ts';
import type { AskedGeneration } from './generation-dialect.ts';
import { planCarried } from './plan-carried.ts';
import type { DialectQuestion, ReadGeneration } from './prepare-generation.ts';
import { writeAwaited, writeFound } from './write-carried.ts';

/**
 * Carries a generation as an interaction: a worker goes through its rounds, in any process. Its client waits for the end, reads its
 * events, or comes back for it.
 */
export const createCarried = async (
  question: DialectQuestion,
  read: ReadGeneration,
  identity: string | null,
): Promise<GatewayResponse> => {
  const created = await openPlanned(question.service, () => planCarried(question, read, identity), read.release);
  return answerCarried(question, created, read.asked);
};

/** The answer to a request that an interaction carries. One that was deleted is not carried out again. */
export const answerCarried = async (
  question: DialectQuestion,
  created: CreatedResource,
  { stream, inBackground = false }: Pick<AskedGeneration, 'stream' | 'inBackground'>,
): Promise<GatewayResponse> => {
  const { service, access, request, dialect } = question;
  if (created.found.resource.availability === 'deleted')
    throw new GatewayError('result_expired', { requestId: created.found.operation.id });
  if (stream) {
    const headers = streamHeaders(created.found.operation.id, created.replayed, dialect.framing?.contentType);
    return { status: 200, headers, body: await followCarried(question, created.found) };
  }
  if (inBackground) {
    const written = await writeFound(service, dialect, created.found);
    return createdAnswer(created, written ?? (await writeAwaited(service, dialect, created.found)));
  }
  const waiting = { access, request, kind: 'interaction', isReady: hasEnded } as const;
  const found = await awaitResource(service, created.found, waiting);
  return createdAnswer({ ...created, found }, await writeAwaited(service, dialect, found));
};
