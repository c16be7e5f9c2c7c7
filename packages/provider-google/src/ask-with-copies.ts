import { isLostFile } from './from-google-error.ts';

/**
 * Asks something that may name copies of files; where the upstream has lost one of them, once more with new copies. `ask` gets
 * whether copies that were noted before are not to be trusted.
 */
export const askWithCopies = async <Answer>(
  hasFiles: boolean,
  ask: (isFresh: boolean) => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await ask(false);
  } catch (failure) {
    if (!hasFiles || !isLostFile(failure)) throw failure;
    return ask(true);
  }
};
