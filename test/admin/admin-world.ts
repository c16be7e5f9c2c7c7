import {
  adminHandler,
  adminRoutes,
  type AdminCaller,
  type AdminHandlerOptions,
  type AdminRoute,
} from '@tollgate/admin';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, type Gateway } from 'tollgate';
import { receiverDown } from '../receiver-down.ts';

/** A gateway with two accounts, and its administration, which lets in by a name in a header. */
export interface AdminWorld {
  readonly gateway: Gateway;
  readonly accountId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly key: string;
  /** Of another account. */
  readonly otherAccountId: string;
  readonly otherProjectId: string;
  readonly logged: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly failures: readonly unknown[];
  readonly handle: (request: Request) => Promise<Response>;
  readonly ask: (method: string, path: string, more?: Asking) => Promise<Answered>;
  readonly chat: (identity?: string, content?: string) => Promise<string>;
}

export interface Asking {
  /** By default the operator. */
  readonly as?: 'operator' | 'owner' | 'stranger' | 'member' | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly text: string;
  /** What stands at a place of the JSON. */
  readonly at: (...place: readonly (string | number)[]) => unknown;
  /** The text that stands there. */
  readonly textAt: (...place: readonly (string | number)[]) => string;
}

const created = <T>(record: T | null): T => {
  if (record === null) throw new Error('the world is not furnished');
  return record;
};

const furnish = async ({ admin }: Gateway) => {
  const { id: accountId } = await admin.createAccount({ name: 'Ada' });
  await admin.deposit({ accountId, amountMicros: 100_000_000n, reference: 'first' });
  const { id: projectId } = created(await admin.createProject({ accountId, name: 'Engine' }));
  const { id: keyId, key } = created(await admin.createKey({ projectId, model: null, name: 'main' }));
  const { id: otherAccountId } = await admin.createAccount({ name: 'Grace' });
  const { id: otherProjectId } = created(await admin.createProject({ accountId: otherAccountId, name: 'Other' }));
  return { accountId, projectId, keyId, key, otherAccountId, otherProjectId };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

const memberOf = (value: unknown, place: string | number): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, place) : undefined;

const answered = async (response: Response): Promise<Answered> => {
  const text = await response.text();
  const json = parsed(text);
  const at: Answered['at'] = (...place) => place.reduce(memberOf, json);
  const textAt: Answered['textAt'] = (...place) => {
    const found = at(...place);
    if (typeof found !== 'string') throw new Error(`no text at ${place.join('.')} of ${text}`);
    return found;
  };
  return { status: response.status, headers: response.headers, json, text, at, textAt };
};

export const openAdminWorld = async (options: Partial<AdminHandlerOptions> = {}): Promise<AdminWorld> => {
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const gateway = await createGateway({ storage: memoryStorage(), logger: silent, webhooks: { sender: receiverDown } });
  const furniture = await furnish(gateway);
  const callers: Readonly<Record<string, AdminCaller>> = {
    operator: { role: 'operator', name: 'olga' },
    owner: { role: 'owner', name: 'ada', accountId: furniture.accountId },
    stranger: { role: 'owner', name: 'grace', accountId: furniture.otherAccountId },
    member: { role: 'owner', name: 'max', projectIds: [furniture.otherProjectId] },
  };
  const logged: (readonly [string, Readonly<Record<string, unknown>>])[] = [];
  const failures: unknown[] = [];
  const handle = adminHandler(gateway, {
    authorize: (request) => callers[request.headers.get('x-who') ?? ''] ?? null,
    logger: {
      ...silent,
      info: (message, fields = {}) => logged.push([message, fields]),
      error: (_message, fields = {}) => failures.push(fields['cause']),
    },
    ...options,
  });
  const ask: AdminWorld['ask'] = async (method, path, { as = 'operator', body, headers: more = {} } = {}) => {
    const headers = new Headers(more);
    if (as !== null) headers.set('x-who', as);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await handle(new Request(`http://host/admin${path}`, init));
    return answered(response);
  };
  const chat = async (identity?: string, content = 'Hello'): Promise<string> => {
    const headers = new Headers({ authorization: `Bearer ${furniture.key}`, 'content-type': 'application/json' });
    if (identity !== undefined) headers.set('idempotency-key', identity);
    const response = await gateway.fetch(
      new Request('http://host/api/v1/ai/chat/completions', {
        method: 'POST',
        headers,
        body: JSON.stringify({ messages: [{ role: 'user', content }] }),
      }),
    );
    const { at } = await answered(response);
    const registered = at('error', 'request_id');
    return typeof registered === 'string' ? registered : (response.headers.get('x-request-id') ?? '');
  };
  return { gateway, ...furniture, logged, failures, handle, ask, chat };
};

/** The row of an id. */
export const rowOf = (id: string): AdminRoute => created(adminRoutes.find((route) => route.id === id) ?? null);
