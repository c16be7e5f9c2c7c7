// npm run open-account -- NAME [CREDITS]: opens an account, also while the gateway runs, and prints its key.
import { openAccount } from './accounts.ts';
import { openGateway } from './open-gateway.ts';

const [name, credits = '10'] = process.argv.slice(2);
if (name === undefined) {
  console.error('npm run open-account -- NAME [CREDITS]');
  process.exit(2);
}

const gateway = await openGateway(process.env);
try {
  const { accountId, key } = await openAccount(gateway.admin, { name, credits });
  console.log(`account ${accountId}\nkey     ${key}\ncredits ${credits}`);
} finally {
  await gateway.close();
}
