import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TollgateReady, TollgateSetup } from './gateways/tollgate-setup.ts';
import { launch } from './launch.ts';
import { nextPort } from './ports.ts';
import type { Stage } from './session.ts';
import { medianOf } from './statistics.ts';

const askOnce = async (port: number, { key, model }: TollgateReady): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/ai/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}: ${await answer.text()}`);
  await answer.text();
};

const startOnce = async (stage: Stage): Promise<number> => {
  const folder = mkdtempSync(path.join(import.meta.dirname, '../node_modules/.cache/start-'));
  const port = nextPort();
  const storage = { kind: 'sqlite', path: path.join(folder, 'bench.db'), synchronous: 'full' } as const;
  const setup: TollgateSetup = { storage, upstreamPort: null, upstreamWire: 'chat' };
  const file = path.join(import.meta.dirname, 'gateways/tollgate.ts');
  const flags = [...stage.build.nodeFlags, ...stage.nodeFlags];
  const startedMs = performance.now();
  const command = [process.execPath, ...flags, file, String(port), JSON.stringify(setup)];
  const gateway = launch(stage.pinning, { place: 'gateway', command, port });
  try {
    // Written by `gateways/tollgate.ts`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await askOnce(port, JSON.parse(await gateway.firstLine) as TollgateReady);
    return performance.now() - startedMs;
  } finally {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * Milliseconds from the start of the process to the first answered chat: the embedded gateway on a new SQLite file, which
 * includes making its schema, an account with credits, a project and a key. The median of several starts.
 */
export const measureColdStart = async (stage: Stage, starts: number): Promise<number> => {
  // A first start that does not count warms the page cache and the client in this process.
  await startOnce(stage);
  const times: number[] = [];
  for (let start = 0; start < starts; start += 1) times.push(await startOnce(stage));
  return medianOf(times);
};
