// Pieces of pages.

/** A text as a cell of a table: no cell may end early, and nothing may look like an element of HTML. */
export const cell = (text: string): string =>
  text
    .replaceAll(/(?<!\\)\|/gu, String.raw`\|`)
    .replaceAll(/\n+/gu, ' ')
    .split('`')
    .map((piece, place) => (place % 2 === 0 ? piece.replaceAll('<', '&lt;') : piece))
    .join('`');

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** A table; none where it has no rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  if (rows.length === 0) return [];
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
};

/** A block of code, with the name of its tab. */
export const code = (language: string, text: string, label = ''): readonly string[] => [
  `\`\`\`${language}${label === '' ? '' : ` [${label}]`}`,
  text,
  '```',
  '',
];
