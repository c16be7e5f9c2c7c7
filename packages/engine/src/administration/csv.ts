/** What a spreadsheet takes for the beginning of a formula; in some languages, signs of full width as well. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

const special = /[",\r\n]/u;

/** A text as a cell. One that a spreadsheet would run as a formula gets an apostrophe before it, so that it is shown as a text. */
export const textCell = (text: string): string => {
  const shown = formula.test(text) ? `'${text}` : text;
  return special.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
};

/** One line of cells that are written already, ended as RFC 4180 says. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
