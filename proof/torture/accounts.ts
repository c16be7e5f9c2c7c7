import { createGateway, silentLogger, type Gateway } from 'tollgate';
import { openStore, type StoreChoice } from './store-choice.ts';
import { model, tortureLimits, tortureTariff } from './victim-setup.ts';

/** Who pays, and the key by which it is asked. */
export interface TortureAccount {
  readonly accountId: string;
  readonly key: string;
  /** Whether its credits run out now and then. */
  readonly poor: boolean;
}

const richMicros = 100_000_000_000n;
/** Holds of about this many operations at once. */
const poorMicros = 1_500_000n;

/** Opens the database in this process; nothing is served and no job runs. */
export const openGateway = async (choice: StoreChoice): Promise<Gateway> =>
  createGateway({
    storage: await openStore(choice),
    tariff: tortureTariff,
    limits: tortureLimits,
    logger: silentLogger,
  });

const createAccount = async ({ admin }: Gateway, name: string, poor: boolean): Promise<TortureAccount> => {
  const { id: accountId } = await admin.createAccount({ name });
  await admin.deposit({ accountId, amountMicros: poor ? poorMicros : richMicros, reference: 'first' });
  const project = await admin.createProject({ accountId, name });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model });
  if (key === null) throw new Error('no key could be made');
  return { accountId, key: key.key, poor };
};

/** Makes the accounts of a run: two that can pay for everything, and one that cannot. */
export const createAccounts = async (choice: StoreChoice): Promise<readonly TortureAccount[]> => {
  const gateway = await openGateway(choice);
  const accounts: TortureAccount[] = [];
  for (const name of ['first', 'second', 'poor']) accounts.push(await createAccount(gateway, name, name === 'poor'));
  await gateway.close();
  return accounts;
};
