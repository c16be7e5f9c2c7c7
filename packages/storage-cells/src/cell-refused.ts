/** The code with which a cell is refused that does not fit the options. */
export const cellRefusedCode = 'cell_refused';

/** A cell that does not fit the options: with them, accounts would not be found or would be seen twice. Nothing is served from it. */
export class CellRefused extends Error {
  override readonly name = 'CellRefused';
  readonly code = cellRefusedCode;
  /** The name of the cell. */
  readonly cell: string;

  constructor(cell: string, why: string) {
    super(`the cell ${cell} is refused: ${why}`);
    this.cell = cell;
  }
}
