import type { GatewayResponse } from '../../gateway-request.ts';
import { openPlanned } from '../../interactions/create-interaction.ts';
import { awaitResource, hasEnded } from '../../resources/await-resource.ts';
import { createdAnswer } from '../../resources/create-resource-answer.ts';
import { streamHeaders } from '../../stream-in-time.ts';
import { followCarried } from './follow-carried.ts';
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
  const { service, access, request, dialect } = question;
  const created = await openPlanned(service, () => planCarried(question, read, identity), read.release);
  const { stream, inBackground = false } = read.asked;
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
