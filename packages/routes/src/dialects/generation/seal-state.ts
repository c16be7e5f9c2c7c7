import { isGatewayError } from '@tollgate/contract';
import type { Service } from '../../service.ts';
import type { SealState } from './kept-answer.ts';

/** A state stands under this name in what is sealed. */
const stateName = 'state';

/** Seals the states of one answer: the text of a state that was sent is the text that is kept. */
export const createStateSeal = ({ contextSeal }: Pick<Service, 'contextSeal'>, projectId: string): SealState => {
  const sealed = new Map<string, string | null>();
  return (context) => {
    const known = sealed.get(context);
    if (known !== undefined) return known;
    const text = contextSeal.seal(projectId, new Map([[stateName, context]]));
    sealed.set(context, text);
    return text;
  };
};

/** The state in a sealed text; null where this service did not seal it for this project. */
export const unsealState = (
  { contextSeal }: Pick<Service, 'contextSeal'>,
  projectId: string,
  sealed: string,
): string | null => {
  try {
    return contextSeal.open(projectId, sealed).get(stateName) ?? null;
  } catch (cause) {
    if (isGatewayError(cause)) return null;
    throw cause;
  }
};
