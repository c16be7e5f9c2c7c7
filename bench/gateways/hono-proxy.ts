// What one writes with Hono in ten lines: reads the JSON, asks the upstream, returns its JSON. No keys, no credits, no storage.
// node bench/gateways/hono-proxy.ts <port> <upstream port> [undici|fetch]
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Pool } from 'undici';

const [port, upstreamPort, transport = 'undici'] = process.argv.slice(2);
const origin = `http://127.0.0.1:${upstreamPort}`;
const pool = new Pool(origin, { connections: 1_024, pipelining: 1 });
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-mock' };

const byUndici = async (path: string, body: string): Promise<unknown> => {
  const answer = await pool.request({ path, method: 'POST', headers, body });
  return answer.body.json();
};

const byFetch = async (path: string, body: string): Promise<unknown> => {
  const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body });
  return answer.json();
};

const send = transport === 'fetch' ? byFetch : byUndici;

const app = new Hono();
app.post('/v1/chat/completions', async (context) => {
  const body: unknown = await context.req.json();
  const answer = await send('/v1/chat/completions', JSON.stringify(body));
  return context.body(JSON.stringify(answer), 200, { 'content-type': 'application/json' });
});
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
