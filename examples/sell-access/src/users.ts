// The users of the shop, their passwords and sessions: better-auth, on a schema of its own in the same database.
import { randomUUID } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { openPool } from './open-pool.ts';
import type { Settings } from './settings.ts';

export interface User {
  /** A uuid: the account of the user has the same id. */
  readonly id: string;
  readonly email: string;
  readonly isStaff: boolean;
}

export interface Users {
  /** Serves sign-up, sign-in and sign-out below `/api/auth`. */
  readonly handler: (request: Request) => Promise<Response>;
  /** The signed-in user of a request, by its cookie; null without a session. */
  readonly userOf: (headers: Headers) => Promise<User | null>;
  /** Makes the tables, and the user of the staff unless there is one. Called once, before any process serves. */
  readonly prepare: (staffPassword: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const schema = 'auth';
const connectionsMax = 4;
/** A session is looked up again after so long; a sign-out elsewhere takes as long to be seen. */
const sessionCacheSeconds = 30;

export const openUsers = ({ databaseUrl, authSecret, staffEmail }: Settings, origin: string): Users => {
  // Its table `account` is a way to sign in: in a schema of its own it meets no other.
  const pool = openPool(databaseUrl, schema, connectionsMax);
  const auth = betterAuth({
    baseURL: origin,
    secret: authSecret,
    database: pool,
    emailAndPassword: { enabled: true },
    session: { cookieCache: { enabled: true, maxAge: sessionCacheSeconds } },
    advanced: { database: { generateId: () => randomUUID() } },
    telemetry: { enabled: false },
  });
  return {
    handler: (request) => auth.handler(request),
    userOf: async (headers) => {
      const session = await auth.api.getSession({ headers });
      if (session === null) return null;
      const { id, email } = session.user;
      return { id, email, isStaff: email === staffEmail };
    },
    prepare: async (staffPassword) => {
      await pool.query(`create schema if not exists ${schema}`);
      const { runMigrations } = await getMigrations(auth.options);
      await runMigrations();
      const { rowCount } = await pool.query('select from "user" where email = $1', [staffEmail]);
      if (rowCount === 0)
        await auth.api.signUpEmail({ body: { name: 'Staff', email: staffEmail, password: staffPassword } });
    },
    close: () => pool.end(),
  };
};
