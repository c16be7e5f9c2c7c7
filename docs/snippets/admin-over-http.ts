import { adminHandler, bearer, type AdminHandler } from '@tollgate/admin';
import { Hono } from 'hono';
import { createServer, type Server } from 'node:http';
import { fetchListener, toNodeListener, type Gateway } from 'tollgate';

// #region bearer
/** Lets in one operator and one project owner, each by a secret of at least 32 characters. */
export const openAdmin = (gateway: Gateway, secrets: { olga: string; ada: string }, accountId: string): AdminHandler =>
  adminHandler(gateway, {
    authorize: bearer([
      { secret: secrets.olga, caller: { role: 'operator', name: 'olga' } },
      { secret: secrets.ada, caller: { role: 'owner', name: 'ada', accountId } },
    ]),
  });
// #endregion bearer

// #region node
/** The handler beside the gateway, on `node:http`. In Express it is `app.use('/admin', fetchListener(admin))`. */
export const adminOnNode = (gateway: Gateway, admin: AdminHandler): Server => {
  const gatewayListener = toNodeListener(gateway.handle);
  const adminListener = fetchListener(admin);
  return createServer((request, response) => {
    if (request.url?.startsWith('/admin/') === true) adminListener(request, response);
    else gatewayListener(request, response);
  });
};
// #endregion node

interface User {
  readonly email: string;
  readonly isStaff: boolean;
  readonly projectIds: readonly string[];
}

// #region sessions
/** Lets in the users of the host by its own session, and mounts the handler beside the gateway. */
export const withOwnUsers = (gateway: Gateway, findUser: (request: Request) => Promise<User | null>): Hono => {
  const admin = adminHandler(gateway, {
    // A cookie goes along with the requests of any page: the header keeps pages of other sites out.
    requiredHeader: 'x-admin',
    authorize: async (request) => {
      const user = await findUser(request);
      if (user === null) return null;
      const { email: name, isStaff, projectIds } = user;
      return isStaff ? { role: 'operator', name } : { role: 'owner', name, projectIds };
    },
  });
  const app = new Hono();
  app.all('/api/v1/ai/*', (context) => gateway.fetch(context.req.raw));
  app.all('/admin/*', (context) => admin(context.req.raw));
  return app;
};
// #endregion sessions
