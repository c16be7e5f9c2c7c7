// Runs cases of the published gateway suite in workerd, each in a Durable Object of its own, and returns what did not pass.
import { DurableObject } from 'cloudflare:workers';
import { driverStorage, durableObjectDriver } from '@tollgate/storage-sqlite/driver';
import { gatewayCases, runGatewayCase } from '@tollgate/testing/gateway';
import { gatewayOver } from './gateway-suite.ts';

interface Env {
  readonly GATEWAY: DurableObjectNamespace<GatewayObject>;
}

export class GatewayObject extends DurableObject<Env> {
  async runCase(title: string): Promise<string | null> {
    const each = gatewayCases.find((one) => one.title === title);
    if (each === undefined) return `there is no case ${title}`;
    const open = gatewayOver((now) => {
      const driver = durableObjectDriver(this.ctx.storage);
      return () => driverStorage({ open: driver, now });
    });
    try {
      await runGatewayCase(open, each);
      return null;
    } catch (cause) {
      return `${title}: ${String(cause)}`;
    }
  }
}

interface Report {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

const runCases = async (env: Env, titles: readonly string[]): Promise<Report> => {
  const passed: string[] = [];
  const failed: string[] = [];
  for (const title of titles) {
    const failure = await env.GATEWAY.get(env.GATEWAY.newUniqueId()).runCase(title);
    if (failure === null) passed.push(title);
    else failed.push(failure);
  }
  return { passed, failed };
};

export default {
  fetch: async (request: Request, env: Env): Promise<Response> => {
    const asked = new URL(request.url).searchParams.get('titles');
    // A request without titles asks whether the server is there.
    if (asked === null) return new Response('ready');
    const pattern = new RegExp(asked, 'u');
    const titles = gatewayCases.map(({ title }) => title).filter((title) => pattern.test(title));
    return Response.json(await runCases(env, titles));
  },
};
