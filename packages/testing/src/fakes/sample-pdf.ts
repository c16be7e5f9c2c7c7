const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);

const pageContent = (text: string): string => {
  const lines = text.split('\n').map((line) => `(${escaped(line)}) Tj T*`);
  return `BT /F1 11 Tf 14 TL 56 780 Td ${lines.join(' ')} ET`;
};

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

const page = (index: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`;

/** Objects numbered from 1, with the table that says where each begins. */
export const pdfOf = (objects: readonly string[]): Uint8Array => {
  let file = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return Buffer.from(`${file}${table}startxref\n${file.length}\n%%EOF\n`, 'latin1');
};

/** A PDF with real text, a page for each; Latin letters only. */
export const samplePdf = (pages: readonly string[]): Uint8Array =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((text, index) => [page(index), stream(pageContent(text))]),
  ]);
