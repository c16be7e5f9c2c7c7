import type { DocumentLimits, PdfReader } from '@tollgate/engine';
import type { IndexingChoice } from '@tollgate/routes';

/** How documents are indexed and searched. */
export interface IndexingOptions extends IndexingChoice {
  readonly limits?: Partial<DocumentLimits>;
  /** Reads the text of PDF files; by default each in a process of its own, and null reads none. */
  readonly readPdf?: PdfReader | null;
  /** Passages that one search of files answers; 8 by default. */
  readonly passagesMax?: number;
}
