import type { AdmittedStorage } from './admit-cell.ts';
import { CellRefused } from './cell-refused.ts';

/** Passes on only that a cell is to be refused: one that is away is checked when it is next asked. */
const unlessAway = async (checking: Promise<void>): Promise<void> => {
  try {
    await checking;
  } catch (cause) {
    if (cause instanceof CellRefused) throw cause;
  }
};

/**
 * Looks at all cells once, as a gateway starts. The names are written down one after another, and only where all that respond fit, so
 * that options that are wrong leave nothing behind.
 */
export const createStartCheck = (cells: readonly AdmittedStorage[]): (() => Promise<void>) => {
  let checked: Promise<void> | null = null;
  const check = async (): Promise<void> => {
    await Promise.all(cells.map(({ inspect }) => unlessAway(inspect())));
    for (const { admit } of cells) await unlessAway(admit());
  };
  return () => (checked ??= check());
};
