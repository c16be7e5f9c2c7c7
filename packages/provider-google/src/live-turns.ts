import { asObject, type UntrustedObject, type Usage } from '@tollgate/provider';
import { fromGoogleUsage, type Quantities } from './from-google-usage.ts';

/**
 * The measure of a session's turns. The upstream tells snapshots: the last one inside a turn is what the turn used, and turns
 * add up. A turn without any was not measured.
 */
export interface LiveTurns {
  /** Reads a message; returns what a turn has used where it ends with this message. */
  readonly read: (message: UntrustedObject) => readonly Usage[] | null;
  /** Something was sent that the model answers, or it speaks. */
  readonly begin: () => void;
  /** What is left at the end of the session. */
  readonly last: () => readonly Usage[] | null;
  /** Whether a turn is under way of which no measure has come. */
  readonly isOwed: () => boolean;
  /** Whether a turn is under way. */
  readonly isOpen: () => boolean;
  /** Whether every turn so far was measured. */
  readonly isMeasured: () => boolean;
}

/** The counts of a session are those of a generation under other names. */
const quantitiesOf = (usage: UntrustedObject): Quantities | undefined =>
  fromGoogleUsage({
    ...usage,
    ...(usage['responseTokenCount'] === undefined ? {} : { candidatesTokenCount: usage['responseTokenCount'] }),
    ...(usage['responseTokensDetails'] === undefined
      ? {}
      : { candidatesTokensDetails: usage['responseTokensDetails'] }),
  });

const isEnd = (content: UntrustedObject | undefined): boolean =>
  content?.['turnComplete'] === true || content?.['interrupted'] === true;

const isOfModel = (message: UntrustedObject, content: UntrustedObject | undefined): boolean =>
  message['toolCall'] !== undefined || content?.['modelTurn'] !== undefined;

export const createLiveTurns = (): LiveTurns => {
  let open = false;
  let told = false;
  let measured = true;
  let snapshot: Quantities | undefined;
  const take = (): readonly Usage[] | null => {
    const usage = snapshot === undefined ? null : [...snapshot];
    snapshot = undefined;
    return usage?.map(([unit, quantity]) => ({ unit, quantity, confirmed: true })) ?? null;
  };
  return {
    read: (message) => {
      const content = asObject(message['serverContent']);
      const usage = asObject(message['usageMetadata']);
      if (isOfModel(message, content)) open = true;
      if (usage !== undefined) {
        snapshot = quantitiesOf(usage) ?? snapshot;
        told ||= snapshot !== undefined;
      }
      if (!isEnd(content)) return null;
      if (open && !told) measured = false;
      open = false;
      told = false;
      return take();
    },
    begin: () => {
      open = true;
    },
    last: take,
    isOwed: () => open && !told,
    isOpen: () => open,
    isMeasured: () => measured,
  };
};
