import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { attachLive, createGateway, microsFromCredits, sqliteStorage, toNodeListener, type Gateway } from 'tollgate';
import { microphoneFile } from './microphone-file.ts';

export interface Site {
  readonly origin: string;
  readonly gateway: Gateway;
  readonly close: () => Promise<void>;
}

const model = 'flash-2.5-native-audio-latest';

/** The site's own key; a real one comes from its configuration. */
const createKey = async ({ admin }: Gateway): Promise<string> => {
  const account = await admin.createAccount({ name: 'voice site' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(10), reference: account.id });
  const project = await admin.createProject({ accountId: account.id, name: 'voice site' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model });
  if (key === null) throw new Error('the site has no key');
  return key.key;
};

/** Asks the gateway for the access to one session, with the key that no page ever sees. */
const askForAccess = async (origin: string, key: string): Promise<string> => {
  const answer = await fetch(`${origin}/api/v1/ai/live`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      config: { generationConfig: { responseModalities: ['AUDIO'] }, outputAudioTranscription: {} },
    }),
  });
  if (!answer.ok) throw new Error(`no session: ${answer.status}`);
  return answer.text();
};

/** Other sites' pages may make a browser send a post, too; they cannot leave their origin out. */
const isOwnPage = ({ headers }: IncomingMessage, origin: string): boolean =>
  headers.origin === undefined || headers.origin === origin;

const pageFile = (name: string): Promise<string> => readFile(new URL(`page/${name}`, import.meta.url), 'utf8');

type Page = () => Promise<readonly [string, string | Buffer]>;

const pages: Readonly<Record<string, Page>> = {
  '/': async () => ['text/html', await pageFile('index.html')],
  '/main.ts': async () => ['text/javascript', stripTypeScriptTypes(await pageFile('main.ts'))],
  '/voice-client.ts': async () => ['text/javascript', stripTypeScriptTypes(await pageFile('voice-client.ts'))],
  '/microphone.wav': () => Promise.resolve(['audio/wav', microphoneFile()]),
};

/** A small site with the gateway on the same server: a page, a back end that obtains the access, and the sessions. */
export const startSite = async (options: { readonly port: number; readonly database: string }): Promise<Site> => {
  const gateway = await createGateway({ storage: sqliteStorage({ path: options.database }) });
  const key = await createKey(gateway);
  const answerGateway = toNodeListener(gateway.handle);
  let origin = '';
  const answerSite = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'POST' && request.url === '/access') {
      // Every session is paid by this site: a real one also asks here who the visitor is, and how often.
      if (!isOwnPage(request, origin)) {
        response.writeHead(403).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(await askForAccess(origin, key));
      return;
    }
    const page = pages[request.url ?? ''];
    if (page === undefined) {
      response.writeHead(404).end();
      return;
    }
    const [type, body] = await page();
    response.writeHead(200, { 'content-type': type }).end(body);
  };
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/ai/') === true) answerGateway(request, response);
    else answerSite(request, response).catch(() => response.writeHead(500).end());
  });
  const sessions = attachLive(server, gateway.live, {
    allowsOrigin: (asked) => asked === null || asked === origin,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : options.port}`;
  gateway.jobs.start();
  return {
    origin,
    gateway,
    close: async () => {
      await gateway.close();
      sessions.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
};
