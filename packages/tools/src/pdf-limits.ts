/** What reading one PDF may cost. */
export interface PdfLimits {
  /** Memory of the process that reads it, all of it counted. */
  readonly memoryBytesMax: number;
  readonly readMs: number;
  readonly pagesMax: number;
  /** Of all pages together, in UTF-16 units. */
  readonly charactersMax: number;
  /** Files that are read at once; further ones wait. */
  readonly readersMax: number;
}

export const defaultPdfLimits: PdfLimits = {
  memoryBytesMax: 512 * 1024 * 1024,
  readMs: 60_000,
  pagesMax: 2_000,
  charactersMax: 4_000_000,
  readersMax: 2,
};
