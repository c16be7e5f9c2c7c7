import type { WorkContext, WorkOutcome } from './work-kind.ts';

/** Written to the log; the client gets the code. */
export const accessLost = 'the key, its project or its account may not be used any more';

/** How work ends that was not handed to a provider yet and whose key may not be used any more; null while it may. */
export const refuseUnbegun = async (context: WorkContext): Promise<WorkOutcome | null> => {
  const code = await context.accessRefusal();
  return code === null ? null : { kind: 'refused', code, cause: new Error(accessLost) };
};

/** Whether what an upstream is at is to be ended there: the client has cancelled it, or its key may not be used any more. */
export const isToEnd = async (context: Pick<WorkContext, 'isCancelling' | 'accessRefusal'>): Promise<boolean> =>
  (await context.isCancelling()) || (await context.accessRefusal()) !== null;
