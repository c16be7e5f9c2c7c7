export { cells } from './cells.ts';
export type { CellsOptions } from './cells-options.ts';
export type { OpenCell } from './open-when-asked.ts';
