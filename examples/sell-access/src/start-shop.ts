// Starts all that the shop consists of: a database, a Stripe, and two processes that serve.
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { migratePostgres } from '@tollgate/storage-postgres';
import type { Ready } from './app-process.ts';
import { openBooks } from './books.ts';
import { startFakeStripe, type FakeStripe } from './fake-stripe.ts';
import { startPostgres } from './local-postgres.ts';
import { gatewaySchema } from './open-gateway.ts';
import { environmentOf, type Settings } from './settings.ts';
import { telemetryVariables } from './shop-telemetry.ts';
import { openUsers } from './users.ts';

export interface ShopProcess extends Ready {
  readonly pid: number;
  readonly end: () => Promise<number | null>;
}

export interface StartedShop {
  readonly processes: readonly [ShopProcess, ShopProcess];
  readonly settings: Settings;
  readonly staffPassword: string;
  /** Every process that was started. */
  readonly pids: readonly number[];
  readonly close: () => Promise<void>;
}

const readyMsMax = 30_000;

/** How to end what was started: what starts first ends last. */
type Ends = (() => Promise<unknown>)[];

const endAll = async (ends: Ends): Promise<void> => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
};

const endOf = (child: ChildProcess) => async (): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return child.exitCode;
};

const startProcess = async (
  ends: Ends,
  variables: Readonly<Record<string, string>>,
  port: string,
): Promise<ShopProcess> => {
  // Nothing of the caller's environment: what a process needs is named.
  const child = fork(new URL('app-process.ts', import.meta.url), { env: { ...variables, PORT: port } });
  ends.push(endOf(child));
  const signal = AbortSignal.timeout(readyMsMax);
  const exited = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('a process ended at once')));
  const told = once(child, 'message', { signal });
  await Promise.race([told, exited]);
  exited.catch(() => undefined);
  const message: unknown = (await told)[0];
  // Only `app-process.ts` sends here, and this once.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...(message as Ready), pid: child.pid ?? 0, end: endOf(child) };
};

/** Brings the three schemas up to date, before any process serves. */
const prepare = async (settings: Settings, staffPassword: string): Promise<void> => {
  await migratePostgres({ connectionString: settings.databaseUrl, schema: gatewaySchema });
  const books = openBooks(settings.databaseUrl);
  const users = openUsers(settings, 'http://127.0.0.1');
  try {
    await books.prepare();
    await users.prepare(staffPassword);
  } finally {
    await Promise.all([books.close(), users.close()]);
  }
};

const given = (name: string): string | null => process.env[name] || null;

const findDatabase = async (ends: Ends, pids: number[]): Promise<string> => {
  const url = given('DATABASE_URL');
  if (url !== null) return url;
  const postgres = await startPostgres();
  ends.push(postgres.stop);
  pids.push(postgres.keeperPid, postgres.pid);
  return postgres.url;
};

const findStripe = async (ends: Ends): Promise<FakeStripe | null> => {
  if (given('STRIPE_SECRET_KEY') !== null) return null;
  const fake = await startFakeStripe();
  ends.push(fake.close);
  return fake;
};

const start = async (ends: Ends, telemetry: Readonly<Record<string, string>>): Promise<StartedShop> => {
  const pids: number[] = [];
  const databaseUrl = await findDatabase(ends, pids);
  const fake = await findStripe(ends);
  const settings: Settings = {
    databaseUrl,
    authSecret: given('AUTH_SECRET') ?? randomBytes(32).toString('hex'),
    contextSecret: given('CONTEXT_SECRET') ?? randomBytes(32).toString('hex'),
    staffEmail: given('STAFF_EMAIL') ?? 'staff@shop.example',
    stripeKey: fake?.key ?? given('STRIPE_SECRET_KEY') ?? '',
    stripeWebhookSecret: fake?.webhookSecret ?? given('STRIPE_WEBHOOK_SECRET') ?? '',
    stripeOrigin: fake?.origin ?? '',
  };
  const staffPassword = given('STAFF_PASSWORD') ?? randomBytes(12).toString('hex');
  await prepare(settings, staffPassword);
  const variables = { ...environmentOf(settings), ...telemetry };
  const processes = [
    await startProcess(ends, variables, given('PORT') ?? '0'),
    await startProcess(ends, variables, '0'),
  ] as const;
  // Not where users buy: a webhook may reach any process.
  fake?.sendTo(`${processes[1].origin}/stripe`);
  pids.push(...processes.map(({ pid }) => pid));
  return { processes, settings, staffPassword, pids, close: () => endAll(ends) };
};

/** `telemetry` are the variables that name a collector. */
export const startShop = async (telemetry = telemetryVariables()): Promise<StartedShop> => {
  const ends: Ends = [];
  try {
    return await start(ends, telemetry);
  } catch (cause) {
    await endAll(ends);
    throw cause;
  }
};
