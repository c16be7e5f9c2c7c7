// Receives events of Stripe until it is killed: node --conditions=@tollgate/source proof/payments/receiver.ts <kind> <at> <port of the fake Stripe> <secret>
import { createServer, type IncomingMessage } from 'node:http';
import { openReceiver } from './receiver-place.ts';

const [kind, at = '', port, secret = ''] = process.argv.slice(2);
const { payments } = await openReceiver({
  kind: kind === 'sqlite' ? 'sqlite' : 'postgres',
  at,
  stripePort: Number(port),
  secret,
});

const receive = async (incoming: IncomingMessage): Promise<number> => {
  const body = Buffer.concat(await incoming.toArray());
  const headers = { 'stripe-signature': String(incoming.headers['stripe-signature']) };
  const response = await payments.handler(new Request('http://host/', { method: 'POST', headers, body }));
  return response.status;
};

const server = createServer((incoming, outgoing) => {
  void receive(incoming)
    .catch(() => 500)
    .then((status) => outgoing.writeHead(status).end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
// A process that outlives the run has nothing to do.
process.on('disconnect', () => process.exit());
