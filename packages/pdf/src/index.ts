export type { PdfLimits } from './pdf-limits.ts';
export { pdfText } from './pdf-text.ts';
