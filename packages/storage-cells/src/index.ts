export { CellRefused, cellRefusedCode } from './cell-refused.ts';
export { cells, type CellsStorage } from './cells.ts';
export { cellUnknownCode, type AccountMoves } from './mover.ts';
export type { CellMove, MoveState } from './moves-record.ts';
export type { CellsOptions } from './cells-options.ts';
export type { OpenCell } from './open-when-asked.ts';
