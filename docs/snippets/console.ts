import { adminHandler, bearer, type AdminCaller } from '@tollgate/admin';
import { consoleHandler, consoleSessions, sameText } from '@tollgate/console';
import { Hono } from 'hono';
import { createServer, type Server } from 'node:http';
import { fetchListener, toNodeListener, type Gateway } from 'tollgate';

// #region sign-in
/** A console with a sign-in of its own: one secret for the operators. */
export const withConsole = (gateway: Gateway, operatorSecret: string, sessionSecret: string): Hono => {
  const sessions = consoleSessions<AdminCaller>({
    secret: sessionSecret,
    signIn: async (credential) =>
      (await sameText(credential, operatorSecret)) ? { role: 'operator', name: 'operator' } : null,
  });
  const admin = adminHandler(gateway, { authorize: sessions.authorize });
  const page = consoleHandler({ admin, sessions, gateway });
  const app = new Hono();
  app.all('/api/v1/ai/*', (context) => gateway.fetch(context.req.raw));
  app.all('/console', (context) => page(context.req.raw));
  app.all('/console/*', (context) => page(context.req.raw));
  return app;
};
// #endregion sign-in

// #region node
/** The console beside the gateway, on `node:http`. */
export const consoleOnNode = (gateway: Gateway, page: (request: Request) => Promise<Response>): Server => {
  const gatewayListener = toNodeListener(gateway.handle);
  const consoleListener = fetchListener(page);
  return createServer((request, response) => {
    if (/^\/console(?:[/?]|$)/.test(request.url ?? '')) consoleListener(request, response);
    else gatewayListener(request, response);
  });
};
// #endregion node

interface User {
  readonly email: string;
  readonly isStaff: boolean;
  readonly accountId: string;
}

// #region own-users
/** A console for the users of the host: staff are operators, customers own their account. */
export const consoleOfUsers = (gateway: Gateway, findUser: (request: Request) => Promise<User | null>) =>
  consoleHandler({
    gateway,
    signInUrl: '/sign-in',
    title: 'Acme models',
    admin: adminHandler(gateway, {
      requiredHeader: 'x-tollgate-console',
      authorize: async (request) => {
        const user = await findUser(request);
        if (user === null) return null;
        return user.isStaff
          ? { role: 'operator', name: user.email }
          : { role: 'owner', name: user.email, accountId: user.accountId };
      },
    }),
  });
// #endregion own-users

// #region both
/** The same administration for scripts by a secret, and for the console by its sessions. */
export const adminForBoth = (gateway: Gateway, scriptSecret: string, sessionSecret: string) => {
  const scripts = bearer([{ secret: scriptSecret, caller: { role: 'operator', name: 'scripts' } }]);
  const sessions = consoleSessions<AdminCaller>({
    secret: sessionSecret,
    signIn: async (credential) =>
      (await sameText(credential, scriptSecret)) ? { role: 'operator', name: 'operator' } : null,
  });
  return adminHandler(gateway, {
    authorize: async (request) => (await scripts(request)) ?? (await sessions.authorize(request)),
    requiredHeader: 'x-tollgate-console',
  });
};
// #endregion both
