// Looks at every page that was written, as built, in a browser, on a desk and on a phone: `npm run docs:build`, then `npm run docs:look`.
// It fails on a page that is wider than its screen, on a broken image, on an error in the console, on anything that is not found,
// and on a question of a newcomer that the search does not answer with the right page first. The images are in `coverage/pages`.
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { questions } from '../test/search-questions.ts';

const root = path.resolve(import.meta.dirname, '..');
const site = path.join(root, 'docs/.vitepress/dist');
const images = path.join(root, 'coverage/pages');
const screens = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const pagesAtOnceMax = 2;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/** Serves the folder of the site as a host does: an address without an end is a page. */
const startSite = async (): Promise<{ readonly origin: string; readonly close: () => void }> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const file = path.join(site, decodeURIComponent(pathname));
    const found = [file, `${file}.html`, path.join(file, 'index.html')].find(
      (candidate) => candidate.startsWith(site) && path.extname(candidate) !== '' && existsSync(candidate),
    );
    response.setHeader('content-type', types[path.extname(found ?? '.html')] ?? 'text/plain; charset=utf-8');
    response.statusCode = found === undefined ? 404 : 200;
    readFile(found ?? path.join(site, '404.html')).then(
      (content) => response.end(content),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${address.port}`, close };
};

/** What is wrong in the page that is open, as the browser evaluates it. */
const faultsInPage = `[
  ...(document.documentElement.scrollWidth > window.innerWidth + 1
    ? ['is ' + (document.documentElement.scrollWidth - window.innerWidth) + ' pixels wider than the screen'] : []),
  ...[...document.images].filter((image) => image.complete && image.naturalWidth === 0)
    .map(({ src }) => 'has a broken image: ' + src),
  ...(document.querySelector('h1') === null ? ['has no heading'] : []),
]`;

const look = async (context: BrowserContext, origin: string, address: string, image: string): Promise<string[]> => {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`logs ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`throws ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`asks for ${response.url()}, which is ${response.status()}`);
  });
  try {
    await page.goto(origin + address, { waitUntil: 'networkidle' });
    faults.push(...(await page.evaluate<string[]>(faultsInPage)));
    await page.screenshot({ path: image, fullPage: true });
  } catch (error) {
    faults.push(`cannot be opened: ${String(error)}`);
  }
  await page.close();
  return faults.map((fault) => `${address} ${fault}`);
};

/** Looks at all pages on one screen, some at once. */
const lookAtAll = async (
  browser: Browser,
  origin: string,
  screen: keyof typeof screens,
  addresses: readonly string[],
): Promise<readonly string[]> => {
  const context = await browser.newContext({ viewport: screens[screen], reducedMotion: 'reduce' });
  const left = [...addresses];
  const faults: string[] = [];
  const worker = async (): Promise<void> => {
    for (let address = left.pop(); address !== undefined; address = left.pop()) {
      const name = address === '/' ? 'index' : address.slice(1).replaceAll('/', '-');
      const found = await look(context, origin, address, path.join(images, `${screen}-${name}.png`));
      faults.push(...found.map((fault) => `${screen}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnceMax }, worker));
  await context.close();
  return faults;
};

/** The page that the search of the site shows first for a question. */
const firstFor = async (page: Page, question: string): Promise<string> => {
  const box = page.locator('#localsearch-input');
  await box.fill('');
  await page.locator('.results .result').first().waitFor({ state: 'detached' });
  await box.fill(question);
  const first = page.locator('.results .result').first();
  await first.waitFor();
  return new URL((await first.getAttribute('href')) ?? '/', page.url()).pathname;
};

/** Asks the search of the site, in the browser, what the test of the search asks the index. */
const askSearch = async (browser: Browser, origin: string): Promise<readonly string[]> => {
  const page = await browser.newPage({ viewport: screens.desk });
  await page.goto(origin, { waitUntil: 'networkidle' });
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').waitFor();
  const faults: string[] = [];
  for (const [question, wanted] of questions) {
    const found = await firstFor(page, question).catch(() => 'nothing');
    if (found !== wanted) faults.push(`search: "${question}" finds ${found} before ${wanted}`);
  }
  await page.screenshot({ path: path.join(images, 'desk-search.png') });
  await page.close();
  return faults;
};

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) throw new Error(`no browser at ${executablePath}: set CHROMIUM to the path of one`);
if (!existsSync(path.join(site, 'index.html'))) throw new Error('the site is not built: run npm run docs:build');
await mkdir(images, { recursive: true });
const only = process.argv[2];
const addresses = globSync('**/*.html', { cwd: site, exclude: ['404.html', 'api/**'] })
  .map((file) => `/${file.replace(/(?:(^|\/)index)?\.html$/u, '$1')}`)
  .filter((address) => only === undefined || address.startsWith(only))
  .toSorted();
const { origin, close } = await startSite();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const faults = [
  ...(await lookAtAll(browser, origin, 'desk', addresses)),
  ...(await lookAtAll(browser, origin, 'phone', addresses)),
  ...(only === undefined ? await askSearch(browser, origin) : []),
];
await browser.close();
close();
for (const fault of faults) console.error(fault);
console.log(`${addresses.length} pages on two screens, ${questions.length} questions: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
