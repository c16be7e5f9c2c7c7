import type { Command, CommandBody } from './command.ts';
import type { Draft } from './draft.ts';
import type { Random } from './random.ts';
import type { SlotKind } from './slot.ts';

/** What histories are about. */
export interface Theme {
  /** The kinds of the operations that they may open; an exchange where nothing is said. */
  readonly kinds: (random: Random) => readonly (SlotKind | undefined)[];
  /** Whether keys have caps in it. */
  readonly isCapped?: true;
  readonly lengthMin: number;
  readonly lengthMore: number;
  /** A command that was not sent before. */
  readonly fresh: (draft: Draft) => CommandBody;
  /** How far the clock moves before it, by a draw from 0 to below 2^20. */
  readonly waitMs: (moment: number, body: CommandBody, draft: Draft) => number;
  /** Whether its commands follow from what became of earlier ones. */
  readonly goesByModel: boolean;
  /** Whether an earlier command may come again now. */
  readonly comesAgain: (draft: Draft, earlier: Command, isLast: boolean) => boolean;
}
