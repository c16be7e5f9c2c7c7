import { optionsCheck, timerMs, whole } from '@tollgate/contract/configuration';

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

/** Every limit in its bounds. */
export const pdfLimitsCheck = optionsCheck<Partial<PdfLimits>>({
  memoryBytesMax: whole({ min: 1 }),
  readMs: timerMs({ min: 1 }),
  pagesMax: whole({ min: 1 }),
  charactersMax: whole({ min: 1 }),
  readersMax: whole({ min: 1 }),
});
