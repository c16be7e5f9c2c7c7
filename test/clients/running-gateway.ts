import { expect } from 'vitest';
import { serve, type RunningServer, type ServeOptions } from '../../packages/node/src/index.ts';
import type { GenerationCall, Provider } from '../../packages/provider/src/index.ts';
import { sandboxProvider } from '../../packages/provider-sandbox/src/index.ts';
import type { GatewayHandler, GatewayResponse } from '../../packages/routes/src/index.ts';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../packages/tollgate/src/index.ts';

/** The model that the key of a running gateway is bound to. */
export const boundModel = 'flash-3.8';

export interface GatewaySetup {
  readonly options?: GatewayOptions;
  readonly serving?: ServeOptions;
  /** null makes a key that is bound to no model. */
  readonly model?: string | null;
}

/** One request as it came over the wire, and what was answered. */
export interface WireExchange {
  readonly method: string;
  readonly path: string;
  readonly identity: string | null;
  /** The body as text; null where it was not read whole. */
  readonly sent: string | null;
  readonly answer: GatewayResponse;
}

export interface RunningGateway {
  readonly origin: string;
  /** Ends in the base path, as a client's base address does. */
  readonly baseUrl: string;
  readonly key: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly gateway: Gateway;
  readonly server: RunningServer;
  /** Every request that reached the gateway, in the order in which it was answered. */
  readonly wire: readonly WireExchange[];
  /** Every call that the provider was handed. */
  readonly calls: readonly GenerationCall[];
  /** What the gateway logged as an error. */
  readonly errors: readonly string[];
  readonly newKey: (model: string | null) => Promise<string>;
  /** Audits the books and closes everything. */
  readonly close: () => Promise<void>;
}

const depositMicros = 100_000_000_000_000n;

const recorded = (provider: Provider, calls: GenerationCall[]): Provider => ({
  ...provider,
  generate: async (call, context) => {
    calls.push(call);
    if (provider.generate === undefined) throw new Error('the provider does not generate');
    return provider.generate(call, context);
  },
  ...(provider.generateStream !== undefined && {
    generateStream: async (...args: Parameters<NonNullable<Provider['generateStream']>>) => {
      calls.push(args[0]);
      if (provider.generateStream === undefined) throw new Error('the provider does not stream');
      return provider.generateStream(...args);
    },
  }),
});

/** Tells what was read in pieces, once all of it was. */
async function* listened(
  chunks: AsyncIterable<Uint8Array>,
  tell: (text: string) => void,
): AsyncGenerator<Uint8Array, void> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) {
    // A copy, as a chunk is its taker's to keep.
    read.push(Uint8Array.from(chunk));
    yield chunk;
  }
  tell(Buffer.concat(read).toString('utf8'));
}

const watched =
  (handle: GatewayHandler, wire: WireExchange[]): GatewayHandler =>
  async (request) => {
    let sent: string | null = null;
    const answer = await handle({
      ...request,
      readBody: async (bytesMax) => {
        const read = await request.readBody(bytesMax);
        if (read.kind === 'read') sent = Buffer.from(read.bytes).toString('utf8');
        return read;
      },
      readBodyChunks: (bytesMax) =>
        listened(request.readBodyChunks(bytesMax), (text) => {
          sent = text;
        }),
    });
    wire.push({
      method: request.method,
      path: request.path,
      identity: request.header('idempotency-key'),
      sent,
      answer,
    });
    return answer;
  };

const present = <T>(value: T | null): T => {
  if (value === null) throw new Error('the record was not created');
  return value;
};

/** Starts a whole gateway on a real socket, with an account in funds and a key. */
export const startGateway = async (setup: GatewaySetup = {}): Promise<RunningGateway> => {
  const calls: GenerationCall[] = [];
  const wire: WireExchange[] = [];
  const errors: string[] = [];
  const { provider = sandboxProvider(), ...options } = setup.options ?? {};
  if (typeof provider === 'function') throw new Error('one provider, please');
  const gateway = await createGateway({
    storage: memoryStorage(),
    logger: { info: () => {}, warn: () => {}, error: (message) => void errors.push(message) },
    ...options,
    provider: recorded(provider, calls),
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'Clients' });
  await admin.deposit({ accountId: account.id, amountMicros: depositMicros, reference: 'start' });
  const project = present(await admin.createProject({ accountId: account.id, name: 'Clients' }));
  const newKey = async (model: string | null): Promise<string> =>
    present(await admin.createKey({ projectId: project.id, model })).key;
  const server = await serve(
    { ...gateway, handle: watched(gateway.handle, wire) },
    { port: 0, drainMs: 500, ...setup.serving },
  );
  return {
    origin: server.origin,
    baseUrl: `${server.origin}/api/v1/ai`,
    key: await newKey(setup.model === undefined ? boundModel : setup.model),
    accountId: account.id,
    projectId: project.id,
    gateway,
    server,
    wire,
    calls,
    errors,
    newKey,
    close: async () => {
      const report = await admin.audit();
      expect(report.violations).toEqual([]);
      expect(report.busy).toEqual([]);
      await server.close();
      await provider.close?.();
    },
  };
};

/** The last item of a list that is known not to be empty. */
export const lastOf = <T>(items: readonly T[]): T => {
  const last = items.at(-1);
  if (last === undefined) throw new Error('the list is empty');
  return last;
};
