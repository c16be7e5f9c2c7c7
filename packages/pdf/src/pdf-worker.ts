import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';
import type { PdfMessage, PdfSetup } from './pdf-child.ts';

// The process that starts this thread hands over exactly this.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { bytes, pagesMax, charactersMax } = workerData as PdfSetup;

const say = (message: PdfMessage): void => {
  // A port between threads has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(message);
};

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Text in the order of the page; the end of a line in print is the end of one here. */
const readPage = async (document: Document, number: number): Promise<string> => {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
};

const read = async (document: Document): Promise<PdfMessage> => {
  if (document.numPages > pagesMax) return { kind: 'refused', reason: 'too_long' };
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    // Pages follow one another: one of them is in memory at a time.
    const text = await readPage(document, number);
    characters += text.length;
    if (characters > charactersMax) return { kind: 'refused', reason: 'too_long' };
    say({ kind: 'page', number, text });
  }
  return { kind: 'end' };
};

const open = async (): Promise<Document | null> => {
  try {
    // Nothing of this machine is checked for it.
    return await getDocumentProxy(bytes, { useSystemFonts: false, disableFontFace: true });
  } catch {
    return null;
  }
};

const document = await open();
try {
  say(document === null ? { kind: 'refused', reason: 'unreadable' } : await read(document));
} catch {
  say({ kind: 'refused', reason: 'unreadable' });
}
