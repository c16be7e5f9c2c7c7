import { DurableObject } from 'cloudflare:workers';
import { driverStorage, durableObjectDriver } from '@tollgate/storage-sqlite/driver';
import { createGateway, type Gateway } from 'tollgate';

interface Env {
  readonly GATEWAY: DurableObjectNamespace<GatewayObject>;
  readonly CONTEXT_SECRET: string;
  readonly OPERATOR_TOKEN: string;
}

/** How often due work is looked for: a Durable Object that sleeps runs no timers. */
const alarmMs = 10_000;

/** The gateway lives in one Durable Object, because a Worker shares nothing between requests. */
export class GatewayObject extends DurableObject<Env> {
  #gateway: Promise<Gateway> | undefined;

  #open(): Promise<Gateway> {
    return (this.#gateway ??= (async () => {
      const storage = await driverStorage({ open: durableObjectDriver(this.ctx.storage) });
      const gateway = await createGateway({
        storage,
        compatibility: { openai: true },
        contextSecret: this.env.CONTEXT_SECRET,
      });
      gateway.jobs.start();
      await this.ctx.storage.setAlarm(Date.now() + alarmMs);
      return gateway;
    })());
  }

  override async alarm(): Promise<void> {
    const gateway = await this.#open();
    await gateway.jobs.runDue();
    await this.ctx.storage.setAlarm(Date.now() + alarmMs);
  }

  override async fetch(request: Request): Promise<Response> {
    const gateway = await this.#open();
    if (new URL(request.url).pathname === '/first-key') return this.#createKey(gateway, request);
    return gateway.fetch(request);
  }

  /** An account with ten credits and its key, for the operator. */
  async #createKey({ admin }: Gateway, request: Request): Promise<Response> {
    if (request.headers.get('authorization') !== `Bearer ${this.env.OPERATOR_TOKEN}`)
      return new Response(null, { status: 401 });
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
