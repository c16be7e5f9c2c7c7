export { computerUse } from './computer-use.ts';
export type { PdfLimits } from './pdf-limits.ts';
export { pdfText } from './pdf-text.ts';
