import type {
  Client,
  CallToolResult,
  jsonSchemaValidator,
  JsonSchemaValidator,
  Tool,
} from '@modelcontextprotocol/client';
import type { ToolSetting } from '@tollgate/engine';
import { createGuardedFetch, type Egress, type GuardedFetch } from '@tollgate/node';
import type { McpLimits } from './mcp-limits.ts';
import { screenAnswers } from './screen-answers.ts';

type McpSetting = ToolSetting<'mcp_server'>;

/** A connection to a server, for the time of one piece of work. */
export interface McpConnection {
  readonly list: () => Promise<readonly Tool[]>;
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;
}

const closeMs = 2_000;

/** Headers that are the protocol's, or that say where a request goes and how long it is: a client cannot set them. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const ownHeaders = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      const lower = name.toLowerCase();
      return !reservedHeaders.has(lower) && !lower.startsWith('mcp-');
    }),
  );

/** A server has nothing to say to us unasked: the stream for that is declined, as the protocol provides for. */
const withoutStream =
  (guardedFetch: GuardedFetch): GuardedFetch =>
  async (url, init) =>
    init?.method === undefined || init.method === 'GET' ? new Response(null, { status: 405 }) : guardedFetch(url, init);

/** Schemas of strangers are not compiled: what a tool answers goes to the model as it is. */
const trustingValidator: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({
      valid: true,
      // Nothing of ours reads the value as a `T`.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      data: input as T,
      errorMessage: undefined,
    }),
};

const endSession = async (client: Client, terminate: () => Promise<void>): Promise<void> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), closeMs);
  try {
    // What becomes of the server's session is the server's; it was reported.
    await Promise.race([terminate().catch(() => undefined), late]);
    await client.close();
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Connects by the official client, over the guarded egress, does the work and lets go. The client is loaded when it is first
 * needed. Throws what the client throws; its errors do not hold what was sent.
 */
export const withMcpConnection = async <T>(
  { egress, limits }: { readonly egress: Egress; readonly limits: McpLimits },
  setting: McpSetting,
  signal: AbortSignal,
  work: (connection: McpConnection) => Promise<T>,
): Promise<T> => {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { requestMs, answerBytesMax, pagesMax } = limits;
  const client = new Client(
    { name: 'tollgate', version: '1' },
    { versionNegotiation: { mode: 'auto' }, listMaxPages: pagesMax, jsonSchemaValidator: trustingValidator },
  );
  const transport = new StreamableHTTPClientTransport(new URL(setting.url), {
    requestInit: { headers: ownHeaders(setting.headers), redirect: 'manual' },
    fetch: withoutStream(screenAnswers(createGuardedFetch(egress, { deadlineMs: requestMs, answerBytesMax }), limits)),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: requestMs,
      maxReconnectionDelay: requestMs,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const options = { timeout: requestMs, maxTotalTimeout: requestMs, signal };
  try {
    await client.connect(transport, options);
    return await work({
      list: async () => (await client.listTools(undefined, options)).tools,
      call: (name, args) => client.callTool({ name, arguments: args }, options),
    });
  } finally {
    await endSession(client, () => transport.terminateSession());
  }
};
