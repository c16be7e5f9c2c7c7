import { parentPort, workerData } from 'node:worker_threads';
import { compile } from 'html-to-text';

/** What the thread that reads is given. */
export interface PageSetup {
  readonly html: string;
  readonly charactersMax: number;
}

export interface PageText {
  readonly title: string;
  readonly text: string;
  /** The text is longer than it may be, and cut. */
  readonly isCut: boolean;
}

const depthMax = 300;
const childrenMax = 50_000;
const titleCharsMax = 300;

const skipped = ['script', 'style', 'noscript', 'template', 'svg', 'img', 'nav', 'footer', 'form', 'button', 'iframe'];
const toText = compile({
  wordwrap: false,
  // The article where a page says which part it is, else all of it.
  baseElements: { selectors: ['main', 'article'], orderBy: 'occurrence', returnDomByDefault: true },
  limits: { maxDepth: depthMax, maxChildNodes: childrenMax, maxInputLength: Number.MAX_SAFE_INTEGER },
  selectors: [
    ...skipped.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { ignoreHref: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: 200 } },
  ],
});
const toLine = compile({ wordwrap: false });

const titleOf = (html: string): string => {
  const [, title = ''] = /<title[^>]{0,200}>([^<]{0,1000})/iu.exec(html) ?? [];
  return toLine(title).replaceAll(/\s+/gu, ' ').trim().slice(0, titleCharsMax).toWellFormed();
};

// The thread that starts this one hands over exactly this.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { html, charactersMax } = workerData as PageSetup;
const text = toText(html)
  .replaceAll(/\n{3,}/gu, '\n\n')
  .trim();
const page: PageText = {
  title: titleOf(html),
  text: text.slice(0, charactersMax).toWellFormed(),
  isCut: text.length > charactersMax,
};
// A port between threads has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(page);
