import { createHash, timingSafeEqual } from 'node:crypto';
import { DurableObject } from 'cloudflare:workers';
import { driverStorage, durableObjectDriver } from '@tollgate/storage-sqlite/driver';
import { createGateway, type Gateway } from 'tollgate';

interface Env {
  readonly GATEWAY: DurableObjectNamespace<GatewayObject>;
  readonly CONTEXT_SECRET: string;
  /** Undefined where the secret was not set. */
  readonly OPERATOR_TOKEN: string | undefined;
}

/** How often due work is looked for: a Durable Object that sleeps runs no timers. */
const alarmMs = 10_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests, which have one length, in constant time. Without a token no request is the operator's. */
const isOperator = (request: Request, token: string | undefined): boolean => {
  if (token === undefined || token === '') return false;
  return timingSafeEqual(digest(request.headers.get('authorization') ?? ''), digest(`Bearer ${token}`));
};

/** The gateway lives in one Durable Object, because a Worker shares nothing between requests. */
export class GatewayObject extends DurableObject<Env> {
  #gateway: Promise<Gateway> | undefined;

  /** Opens the gateway once. Where that fails, the next request tries again. */
  #open(): Promise<Gateway> {
    return (this.#gateway ??= this.#create().catch((cause: unknown) => {
      this.#gateway = undefined;
      throw cause;
    }));
  }

  async #create(): Promise<Gateway> {
    const storage = await driverStorage({ open: durableObjectDriver(this.ctx.storage) });
    const gateway = await createGateway({
      storage,
      compatibility: { openai: true },
      contextSecret: this.env.CONTEXT_SECRET,
    });
    gateway.jobs.start();
    await this.ctx.storage.setAlarm(Date.now() + alarmMs);
    return gateway;
  }

  override async alarm(): Promise<void> {
    // First, so that work that fails does not end the alarms.
    await this.ctx.storage.setAlarm(Date.now() + alarmMs);
    const gateway = await this.#open();
    await gateway.jobs.runDue();
  }

  override async fetch(request: Request): Promise<Response> {
    const gateway = await this.#open();
    if (new URL(request.url).pathname === '/first-key') return this.#createKey(gateway, request);
    return gateway.fetch(request);
  }

  /** An account with ten credits and its key, for the operator. */
  async #createKey({ admin }: Gateway, request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    if (!isOperator(request, this.env.OPERATOR_TOKEN)) return new Response(null, { status: 401 });
    const account = await admin.createAccount({ name: 'first' });
    await admin.deposit({ accountId: account.id, amountMicros: 10_000_000n, reference: 'first' });
    const project = await admin.createProject({ accountId: account.id, name: 'first' });
    if (project === null) return new Response(null, { status: 409 });
    return Response.json(await admin.createKey({ projectId: project.id, model: null }));
  }
}

export default {
  fetch: (request: Request, env: Env) => env.GATEWAY.getByName('gateway').fetch(request),
};
