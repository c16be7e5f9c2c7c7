import type { OpenAnswer, OpenCommand, SpendElsewhere } from '../decisions/open.ts';

/** Keys with a cap whose record of spending is remembered. */
const keysMax = 10_000;

/** Under which record each key with a cap counts now, as far as this process knows. A stale one costs a step and nothing else. */
export type KeySpends = Map<string, string>;

export const createKeySpends = (): KeySpends => new Map();

/** How often an opening is sent again: a window may end, or a cap may be changed, between two tries. */
const triesMax = 4;

const remember = (known: KeySpends, keyId: string, keySpend: string | null): void => {
  known.delete(keyId);
  if (keySpend === null) return;
  const [oldest] = known.keys();
  if (known.size >= keysMax && oldest !== undefined) known.delete(oldest);
  known.set(keyId, keySpend);
};

type Elsewhere = SpendElsewhere;

const isElsewhere = (answer: { readonly kind: string }): answer is Elsewhere => answer.kind === 'elsewhere';

/**
 * Sends an opening with the record that counts its key's spending. Which one that is depends on the key's cap and the storage's clock:
 * where the step names another one, it has changed nothing, and is sent again. For a key without a cap there is nothing to find.
 */
export const openWithin = <Answer extends { readonly kind: string }>(
  known: KeySpends,
  command: OpenCommand,
  send: (command: OpenCommand) => Promise<Answer | Elsewhere>,
): Promise<Answer | Extract<OpenAnswer, { kind: 'refused' }>> => {
  const trying = (triesLeft: number): Promise<Answer | Extract<OpenAnswer, { kind: 'refused' }>> => {
    if (triesLeft === 0) return Promise.resolve({ kind: 'refused', code: 'service_unavailable' });
    const keySpend = known.get(command.keyId);
    return send(keySpend === undefined ? command : { ...command, keySpend }).then((answer) => {
      if (!isElsewhere(answer)) return answer;
      remember(known, command.keyId, answer.keySpend);
      return trying(triesLeft - 1);
    });
  };
  return trying(triesMax);
};
