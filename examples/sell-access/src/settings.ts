/** What every process of the shop is started with. */
export interface Settings {
  readonly databaseUrl: string;
  /** Signs the sessions of users. */
  readonly authSecret: string;
  /** Seals the secrets of the gateway at rest. */
  readonly contextSecret: string;
  /** The user who may do everything in the console. */
  readonly staffEmail: string;
  readonly stripeKey: string;
  readonly stripeWebhookSecret: string;
  /** The address of the fake Stripe; empty for the real one. */
  readonly stripeOrigin: string;
}

const names: Readonly<Record<keyof Settings, string>> = {
  databaseUrl: 'DATABASE_URL',
  authSecret: 'AUTH_SECRET',
  contextSecret: 'CONTEXT_SECRET',
  staffEmail: 'STAFF_EMAIL',
  stripeKey: 'STRIPE_SECRET_KEY',
  stripeWebhookSecret: 'STRIPE_WEBHOOK_SECRET',
  stripeOrigin: 'STRIPE_ORIGIN',
};

export const environmentOf = (settings: Settings): Readonly<Record<string, string>> => ({
  [names.databaseUrl]: settings.databaseUrl,
  [names.authSecret]: settings.authSecret,
  [names.contextSecret]: settings.contextSecret,
  [names.staffEmail]: settings.staffEmail,
  [names.stripeKey]: settings.stripeKey,
  [names.stripeWebhookSecret]: settings.stripeWebhookSecret,
  [names.stripeOrigin]: settings.stripeOrigin,
});

const read = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`the environment variable ${name} is missing`);
  return value;
};

export const settingsOfProcess = (): Settings => ({
  databaseUrl: read(names.databaseUrl),
  authSecret: read(names.authSecret),
  contextSecret: read(names.contextSecret),
  staffEmail: read(names.staffEmail),
  stripeKey: read(names.stripeKey),
  stripeWebhookSecret: read(names.stripeWebhookSecret),
  stripeOrigin: read(names.stripeOrigin),
});
