const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);

const contentOf = (text: string): string => {
  const lines = text.split('\n').map((line) => `(${escaped(line)}) Tj T*`);
  return `BT /F1 12 Tf 16 TL 56 780 Td ${lines.join(' ')} ET`;
};

const pageOf = (contents: number): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${contents} 0 R >>`;

/** The smallest PDF with real text: one page for each, Latin letters only. */
export const writePdf = (pages: readonly string[]): Uint8Array => {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((text, index) => {
      const content = contentOf(text);
      return [pageOf(5 + 2 * index), `<< /Length ${content.length} >>\nstream\n${content}\nendstream`];
    }),
  ];
  let file = '%PDF-1.4\n';
  const rows = objects.map((object, index) => {
    const row = `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return Buffer.from(`${file}${table}startxref\n${file.length}\n%%EOF\n`, 'latin1');
};
