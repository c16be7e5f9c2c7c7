// The routes of the shop: its users, what they buy and own, the gateway, the console.
import { Readable } from 'node:stream';
import { adminHandler } from '@tollgate/admin';
import { consoleHandler } from '@tollgate/console';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { fetchListener, microsFromCredits, toNodeListener } from 'tollgate';
import { lowBalanceCredits } from './books.ts';
import { pageRoutes } from './page-routes.ts';
import { buyRoutes } from './payments.ts';
import { forUsers, textOf, type Shop } from './user-route.ts';

const ownRoutes = (shop: Shop): Router => {
  const { gateway, customers, books } = shop;
  const user = forUsers(shop);
  const routes = express.Router();
  routes.get(
    '/me',
    user(async (me, _, response) => {
      const [keys, wasLow, wallet] = await Promise.all([
        customers.keyNamesOf(me),
        books.isReminded(me.id),
        gateway.admin.readWallet(me.id),
      ]);
      const isLow = wasLow && wallet !== null && wallet.balanceMicros < microsFromCredits(lowBalanceCredits);
      response.json({ email: me.email, isStaff: me.isStaff, keys, isLow });
    }),
  );
  routes.post(
    '/keys',
    user(async (me, request, response) => {
      const name = textOf(request, 'name');
      const key = name === null ? null : await customers.createKey(me, name);
      if (key === null) response.status(422).json({ error: 'a key has a name that no other key of yours has' });
      else response.status(201).json({ key });
    }),
  );
  routes.post(
    '/tokens',
    user(async (me, _, response) => void response.json(await customers.createToken(me))),
  );
  routes.get(
    '/statement.csv',
    user(async (me, _, response) => {
      response.type('text/csv').attachment('statement.csv');
      Readable.from(await gateway.admin.statementCsv({ accountId: me.id })).pipe(response);
    }),
  );
  return routes;
};

/** Staff are operators, and every other user owns its account. */
const shopConsole = ({ gateway, users, customers }: Shop) =>
  consoleHandler({
    gateway,
    title: 'Shop console',
    signInUrl: '/',
    admin: adminHandler(gateway, {
      requiredHeader: 'x-tollgate-console',
      authorize: async ({ headers }) => {
        const user = await users.userOf(headers);
        if (user === null) return null;
        if (user.isStaff) return { role: 'operator', name: user.email };
        await customers.ensure(user);
        return { role: 'owner', name: user.email, accountId: user.id };
      },
    }),
  });

/** `spans` stands before all routes, where there is telemetry. */
export const createApp = (shop: Shop, spans?: RequestHandler): Express => {
  const app = express();
  app.disable('x-powered-by');
  if (spans !== undefined) app.use(spans);
  // Before every body parser: these read and count their bodies themselves.
  app.use('/api/v1/ai', toNodeListener(shop.gateway.handle));
  app.get(['/healthz', '/readyz'], toNodeListener(shop.gateway.handle));
  app.all('/api/auth/{*path}', fetchListener(shop.users.handler));
  app.all(['/console', '/console/{*path}'], fetchListener(shopConsole(shop)));
  // Where it fails, the listener responds with 500, and Stripe sends the event again.
  app.post('/stripe', fetchListener(shop.payments.handler));
  app.use(express.json({ limit: '10kb' }));
  app.use(pageRoutes(), ownRoutes(shop), buyRoutes(shop));
  return app;
};
