import type { OperationRecord, Storage } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { createMemoryLedger, scriptedProvider } from '@tollgate/testing/fakes';
import { createGateway } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { greeting } from './served-gateway.ts';

type Seen = Pick<OperationRecord, 'state' | 'holdMicros' | 'errorCode'> & { readonly at: string };

/** A gateway with a wallet of the host, which looks at the record of its only operation whenever it is asked. */
const traceOperation = async (settle: 'settled' | 'insufficient') => {
  const disk = createMemoryDisk();
  const storage: Storage = memoryStorage({ disk });
  const books = createMemoryLedger();
  const trace: Seen[] = [];
  const look = (at: string): void => {
    for (const row of disk.rows('operation').values()) {
      // The table holds operations and nothing else.
      const { state, holdMicros, errorCode } = row as OperationRecord;
      trace.push({ at, state, holdMicros, errorCode });
    }
  };
  const provider = scriptedProvider();
  const gateway = await createGateway({
    storage,
    provider: {
      ...provider,
      generate: (call, context) => {
        look('provider');
        return provider.generate(call, context);
      },
    },
    tariff: { version: 'trace', models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '1' } } } },
    ledger: {
      ...books,
      reserve: (command) => {
        look('reserve');
        return books.reserve(command);
      },
      settle: (command) => {
        look('settle');
        return settle === 'settled' ? books.settle(command) : Promise.resolve(settle);
      },
    },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  const account = await gateway.admin.createAccount({ name: 'Trace' });
  books.deposit(account.id, 1_000_000_000n);
  const project = await gateway.admin.createProject({ accountId: account.id, name: 'Trace' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  const answer = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
      body: greeting,
    }),
  );
  look('answer');
  return { trace, status: answer.status, wallet: books.wallet(account.id) };
};

test('passes from preparing over processing and settling to completed [requests:move:accepted-preparing] [requests:move:processing-settling] [requests:move:settling-completed]', async () => {
  const { trace, status, wallet } = await traceOperation('settled');
  expect(status).toBe(200);
  expect(trace.map(({ at, state }) => [at, state])).toEqual([
    ['reserve', 'preparing'],
    ['provider', 'processing'],
    ['settle', 'settling'],
    ['answer', 'completed'],
  ]);
  const holds = trace.map(({ holdMicros }) => holdMicros > 0n);
  expect(holds).toEqual([false, true, true, false]);
  expect(wallet.reservedMicros).toBe(0n);
});

test('passes from settling to uncertain when the debit cannot be written, and keeps the hold [requests:move:settling-uncertain]', async () => {
  const { trace, status, wallet } = await traceOperation('insufficient');
  expect(status).toBe(409);
  const [settling, uncertain] = trace.slice(-2);
  expect([settling?.state, uncertain?.state, uncertain?.errorCode]).toEqual([
    'settling',
    'uncertain',
    'settlement_pending',
  ]);
  expect(uncertain?.holdMicros).toBe(settling?.holdMicros);
  expect(wallet.reservedMicros).toBe(uncertain?.holdMicros);
});
