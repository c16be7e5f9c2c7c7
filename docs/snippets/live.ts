import { createServer, type RequestListener, type Server } from 'node:http';
import { attachLive, toNodeListener, type Gateway } from 'tollgate';

/** The access to one socket. */
export interface Access {
  readonly id: string;
  readonly url: string;
  readonly access_key: string;
  readonly expires_at: string;
}

// #region access
/** In your own back end, which alone has the key: returns what a page needs for one session, and nothing more. */
export const askForAccess = async (origin: string, key: string): Promise<Access> => {
  const answer = await fetch(`${origin}/api/v1/ai/live`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      config: {
        generationConfig: { responseModalities: ['TEXT'] },
        systemInstruction: 'Answer in one sentence.',
      },
    }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await answer.json()) as Access;
};
// #endregion access

// #region talk
interface ServerMessage {
  readonly setupComplete?: object;
  readonly serverContent?: {
    readonly modelTurn?: { readonly parts: readonly { readonly text?: string }[] };
    readonly turnComplete?: boolean;
  };
}

/** In the page: opens the socket, sends one text, and returns the model's text. */
export const talk = (access: Access, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(access.url);
    let said = '';
    socket.addEventListener('open', () =>
      socket.send(JSON.stringify({ id: access.id, access_key: access.access_key })),
    );
    socket.addEventListener('message', ({ data }) => {
      // The gateway sends JSON text in the documented form only.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const message = JSON.parse(String(data)) as ServerMessage;
      if (message.setupComplete !== undefined) {
        const turns = [{ role: 'user', parts: [{ text }] }];
        socket.send(JSON.stringify({ clientContent: { turns, turnComplete: true } }));
      }
      for (const part of message.serverContent?.modelTurn?.parts ?? []) said += part.text ?? '';
      if (message.serverContent?.turnComplete !== true) return;
      socket.close(1000);
      resolve(said);
    });
    socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)));
  });
// #endregion talk

// #region attach
/** Sessions beside a server of your own: Express, Fastify and similar servers handle requests, `attachLive` handles the upgrades. */
export const besideExpress = (gateway: Gateway, app: RequestListener): Server => {
  const gatewayListener = toNodeListener(gateway.handle);
  const server = createServer((request, response) =>
    request.url?.startsWith('/api/v1/ai/') === true ? gatewayListener(request, response) : app(request, response),
  );
  attachLive(server, gateway.live, {
    allowsOrigin: (origin) => origin === null || origin === 'https://app.example',
    unknownPerAddressMax: 16,
  });
  return server;
};
// #endregion attach
