import type { Engine } from '../../engine.ts';
import type { ModelRoute } from '../model-route.ts';
import type { InteractionLimits } from './interaction-limits.ts';
import { interactionWork, type EndedInteraction, type InteractionChain } from './interaction-work.ts';
import { bytesOfJson, readJson } from './stored-json.ts';
import type { StoredContent, StoredStep } from './stored-step.ts';

/** One interaction that is continued: what came in and what came of it. */
export interface PastInteraction {
  readonly author: ModelRoute<string>;
  readonly reference: string | null;
  readonly steps: readonly StoredStep[];
}

/** An ended interaction of the project, or null where there is none whose steps are still kept. */
const findEnded = async (engine: Engine, projectId: string, id: string): Promise<EndedInteraction | null> => {
  const records = await engine.storage.read([{ table: 'resource', id }]);
  const resource = records.get('resource', id);
  if (resource === undefined || resource.projectId !== projectId || resource.kind !== 'interaction') return null;
  const work = interactionWork(resource.work);
  return work?.phase === 'ended' ? work : null;
};

/** What an interaction that continues another one begins with. */
export const chainAfter = (previousId: string, ended: EndedInteraction): InteractionChain => ({
  previousId,
  depth: ended.depth + 1,
  bytes: ended.bytes + bytesOfJson(ended.input) + bytesOfJson(ended.steps),
});

export const isTooLong = ({ depth, bytes }: InteractionChain, limits: InteractionLimits): boolean =>
  depth > limits.historyInteractionsMax || bytes > limits.historyBytesMax;

const goneContent = (content: StoredContent): StoredContent =>
  content.kind === 'made' ? { kind: 'text', text: '[Media of an earlier turn are no longer available.]' } : content;

/** The media of an interaction go before its steps do: a request that continues it then learns that they were there. */
const stepsLeft = ({ media }: EndedInteraction, steps: readonly StoredStep[]): readonly StoredStep[] =>
  media.length > 0
    ? steps
    : steps.map((step) => (step.kind === 'model_output' ? { ...step, content: step.content.map(goneContent) } : step));

/**
 * All interactions that one continues, the oldest first. Where one of them has been deleted, or its time is over, the history begins
 * behind it: what a client has deleted is not said again.
 */
export const readHistory = async (
  engine: Engine,
  projectId: string,
  chain: InteractionChain,
): Promise<readonly PastInteraction[]> => {
  const past: PastInteraction[] = [];
  let id = chain.previousId;
  for (let left = chain.depth; id !== null && left > 0; left -= 1) {
    const ended = await findEnded(engine, projectId, id);
    if (ended === null) break;
    const input = await readJson(engine, ended.input);
    const steps = stepsLeft(ended, await readJson(engine, ended.steps));
    past.unshift({ author: ended.author, reference: ended.reference, steps: [...input, ...steps] });
    id = ended.previousId;
  }
  return past;
};
