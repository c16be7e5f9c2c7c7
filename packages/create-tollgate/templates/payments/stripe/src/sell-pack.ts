// npm run sell-pack -- ACCOUNT PACK: prints the address of a page on which the account buys a pack.
import { randomUUID } from 'node:crypto';
import { openGateway } from './open-gateway.ts';
import { openPayments } from './payments.ts';

const [account, pack] = process.argv.slice(2);
if (account === undefined || pack === undefined) {
  console.error('npm run sell-pack -- ACCOUNT PACK');
  process.exit(2);
}

const gateway = await openGateway(process.env);
try {
  const page = await openPayments(gateway, process.env).checkout({
    account,
    pack,
    // The id of your order: the same one returns the same page.
    reference: randomUUID(),
    successUrl: 'https://example.com/paid',
    cancelUrl: 'https://example.com/',
  });
  console.log(page.kind === 'open' ? page.url : `no page: ${page.kind}`);
} finally {
  await gateway.close();
}
