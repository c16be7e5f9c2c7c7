// Routes of signed-in users.
import type { StripePayments } from '@tollgate/stripe';
import { fromNodeHeaders } from 'better-auth/node';
import type { Request as Asked, Response as Answer } from 'express';
import type { Gateway } from 'tollgate';
import type { Books } from './books.ts';
import type { Customers } from './customers.ts';
import type { User, Users } from './users.ts';

export interface Shop {
  readonly origin: string;
  readonly gateway: Gateway;
  readonly users: Users;
  readonly customers: Customers;
  readonly payments: StripePayments;
  readonly books: Books;
}

/** A route of a signed-in user. */
type UserRoute = (user: User, request: Asked, response: Answer) => Promise<void>;

/** A cookie goes with requests of every page: those that change something must come from a page of the shop. */
const isOwnPage = ({ method, headers }: Asked, origin: string): boolean =>
  method === 'GET' || headers.origin === origin;

/** Finds the user of a request, and makes the account of it at the first call. */
export const forUsers =
  ({ users, customers, origin }: Shop) =>
  (route: UserRoute) =>
  async (request: Asked, response: Answer): Promise<void> => {
    const user = await users.userOf(fromNodeHeaders(request.headers));
    if (user === null) return void response.status(401).json({ error: 'sign in first' });
    if (!isOwnPage(request, origin)) return void response.status(403).json({ error: 'this came from another page' });
    await customers.ensure(user);
    await route(user, request, response);
  };

/** The text of a field of a JSON body; null where there is none. */
export const textOf = (request: Asked, name: string): string | null => {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' && value !== '' && value.length <= 100 ? value : null;
};
