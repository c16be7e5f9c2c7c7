import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { creditsFromMicros, microsFromCredits, type Gateway } from 'tollgate';

const demoModel = 'flash-3.8';
/** The welcome gift has a reference, so that starting again does not give it again. */
const welcome = { amountMicros: microsFromCredits(100), reference: 'welcome' };

interface Demo {
  readonly accountId: string;
  readonly key: string;
}

const readDemo = async (file: string): Promise<Demo | null> => {
  const text = await readFile(file, 'utf8').catch(() => null);
  const [accountId, key] = text?.trim().split('\n') ?? [];
  return accountId === undefined || key === undefined ? null : { accountId, key };
};

/** A key is shown once; a demo that is started often keeps its own beside the database, readable by its owner only. */
const createDemo = async (admin: Gateway['admin'], file: string): Promise<Demo> => {
  const account = await admin.createAccount({ name: 'demo' });
  const project = await admin.createProject({ accountId: account.id, name: 'demo' });
  const key =
    project === null ? null : await admin.createKey({ projectId: project.id, model: demoModel, name: 'demo' });
  if (key === null) throw new Error('the demo account could not be made');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${account.id}\n${key.key}\n`, { mode: 0o600 });
  return { accountId: account.id, key: key.key };
};

/** The demo account with a welcome deposit; the same one at every start on the same folder. */
export const openDemoAccount = async (
  admin: Gateway['admin'],
  file: string,
): Promise<{ readonly key: string; readonly credits: number }> => {
  const known = await readDemo(file);
  const wallet = known === null ? null : await admin.readWallet(known.accountId);
  const demo = known === null || wallet === null ? await createDemo(admin, file) : known;
  await admin.deposit({ accountId: demo.accountId, ...welcome });
  const current = await admin.readWallet(demo.accountId);
  return { key: demo.key, credits: creditsFromMicros(current?.balanceMicros ?? 0n) };
};
