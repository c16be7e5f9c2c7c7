// A page of a host with the elements, and a gateway on another origin that the page reads.
import { build } from 'esbuild';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, fetchListener, microsFromCredits, serve, silentLogger, type Gateway } from 'tollgate';

export interface ElementsWorld {
  readonly page: string;
  readonly gateway: Gateway;
  readonly accountId: string;
  readonly key: string;
  /** How often the page asked for a token. */
  readonly tokens: () => number;
  /** Lets the payment of the order arrive. */
  readonly credit: () => void;
  readonly close: () => Promise<void>;
}

const bundle = async (contents: string): Promise<string> => {
  const resolveDir = path.join(import.meta.dirname, '../../packages/elements');
  const stdin = { contents, resolveDir, loader: 'ts' } as const;
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm', logLevel: 'silent' });
  return outputFiles.map(({ text }) => text).join('\n');
};

/** The program of the page; `GATEWAY` is where the gateway is. */
const program = (origin: string): string => `
  import { connectTollgate, defineElements } from './src/index.ts';
  defineElements();
  defineElements();
  const ask = async (path, body) => (await fetch(path, { method: 'POST', body: JSON.stringify(body ?? {}) })).json();
  const client = connectTollgate({ baseUrl: '${origin}/api/v1/ai/', getToken: () => ask('/tokens') });
  window.tollgate = client;
  for (const element of document.querySelectorAll('tollgate-balance, tollgate-usage')) element.client = client;
  const buy = document.querySelector('tollgate-buy');
  addEventListener('tollgate-credited', ({ detail }) => { document.title = 'credited ' + detail.orderId; });
  buy.client = client;
  buy.packs = [{ id: 'small', label: '10 credits' }, { id: 'none', label: 'Sold out' }];
  buy.purchase = {
    start: async (pack) => {
      const { url } = await ask('/checkout', { pack });
      if (url === undefined) throw new Error('no page');
      return url;
    },
    isCredited: async (order) => (await ask('/orders', { order })).credited,
  };
`;

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,"><script type="module" src="/page.js"></script></head><body>
<tollgate-balance label="Credits"></tollgate-balance>
<tollgate-usage days="7"></tollgate-usage>
<tollgate-buy></tollgate-buy></body></html>`;

const policy = "default-src 'none'; script-src 'self'; connect-src *; img-src data:; style-src 'none'";

const listen = async (listener: RequestListener) => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
};

/** The program that the guide shows, which asks the gateway on its own origin. */
const bundleShown = async (): Promise<string> => {
  const root = path.join(import.meta.dirname, '../..');
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'docs/snippets/elements/page.ts')],
    alias: { '@tollgate/elements': path.join(root, 'packages/elements/src/index.ts') },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('\n');
};

/** Serves the page and the gateway on two free ports; with `isShown` the page has the program of the guide. */
export const startElements = async ({ isShown = false } = {}): Promise<ElementsWorld> => {
  const seen = { tokens: 0, isCredited: false, script: '', key: '' };
  const respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case '/':
        return new Response(html, { headers: { 'content-type': 'text/html', 'content-security-policy': policy } });
      case '/page.js':
        return new Response(seen.script, { headers: { 'content-type': 'text/javascript' } });
      case '/tokens':
        seen.tokens += 1;
        // The first token is one that the gateway does not know: the page has to ask for another.
        return Response.json({
          token: seen.tokens === 1 ? 'tg_unknown' : seen.key,
          expiresAt: new Date(Date.now() + 600_000).toISOString(),
        });
      case '/checkout':
        return Response.json((await request.text()).includes('small') ? { url: '/?order=o-1' } : {});
      case '/orders':
        return Response.json({ credited: seen.isCredited });
      default:
        return gateway.fetch(request);
    }
  };
  const listener = fetchListener(respond);
  const shop = await listen(listener);
  const gateway = await createGateway({
    storage: memoryStorage(),
    logger: silentLogger,
    cors: { origins: [shop.origin] },
  });
  const served = await serve(gateway, { port: 0, host: '127.0.0.1' });
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Ada' });
  await gateway.admin.deposit({ accountId, amountMicros: microsFromCredits('12345.5'), reference: 'first' });
  const project = await gateway.admin.createProject({ accountId, name: 'Shop' });
  const created = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-3.8' });
  seen.key = created?.key ?? '';
  seen.script = await (isShown ? bundleShown() : bundle(program(served.origin)));
  return {
    page: `${shop.origin}/`,
    gateway,
    accountId,
    key: seen.key,
    tokens: () => seen.tokens,
    credit: () => {
      seen.isCredited = true;
    },
    close: async () => {
      shop.server.closeAllConnections();
      await new Promise<void>((resolve) => void shop.server.close(() => resolve()));
      await served.close();
    },
  };
};
