// Which test or script runs each file of `docs/snippets`.

/** A test or script, and the files that it runs. Where it has another name for them than `snippets/<file>`, that name. */
export interface SnippetRun {
  readonly by: string;
  readonly files: readonly (string | readonly [file: string, named: string])[];
}

const hosts: SnippetRun = {
  by: 'scripts/hosts/host-rows.ts',
  files: [
    ['hosts/bun.ts', 'bun.ts'],
    ['hosts/deno.ts', 'deno.ts'],
    ['hosts/express.ts', 'express.ts'],
    ['hosts/fastify.ts', 'fastify.ts'],
    ['hosts/hono.ts', 'hono.ts'],
    ['hosts/nest/app.module.ts', 'nest/app.module.ts'],
    ['hosts/nest/main.ts', 'nest/main.ts'],
    ['hosts/node-http.ts', 'node-http.ts'],
    // The build and the server of the framework read the whole folder.
    ['hosts/next/app/api/v1/ai/[...path]/route.ts', "folder: 'next'"],
    ['hosts/next/app/layout.tsx', "folder: 'next'"],
    ['hosts/next/app/page.tsx', "folder: 'next'"],
    ['hosts/next/instrumentation.ts', "folder: 'next'"],
    ['hosts/next/lib/gateway.ts', "folder: 'next'"],
    ['hosts/next/lib/start-jobs.ts', "folder: 'next'"],
    ['hosts/next/next.config.ts', "folder: 'next'"],
  ],
};

export const snippetRuns: readonly SnippetRun[] = [
  {
    by: 'test/docs.test.ts',
    files: [
      'account.ts',
      'administration.ts',
      'batches.ts',
      'business.ts',
      'caches.ts',
      'models.ts',
      'echo-provider.ts',
      'embeddings.ts',
      'environments.ts',
      'files.ts',
      'generate.ts',
      ['get-started.ts', "'get-started.ts'"],
      'google-clients.ts',
      ['grants.sql', "'snippets/grants.sql'"],
      'hooks.ts',
      'host-identities.ts',
      'host-ledger.ts',
      'interactions.ts',
      'keys.ts',
      'limits.ts',
      'live.ts',
      'mounting.ts',
      'openai-client.ts',
      'openai-responses.ts',
      'options.ts',
      'postgres.ts',
      'routing.ts',
      ['smallest.ts', "'smallest.ts'"],
      'stores.ts',
      'tool-runner.ts',
      'tools.ts',
      'usage.ts',
      'videos.ts',
      ['watch.sql', "'snippets/watch.sql'"],
      ['watch-sqlite.sql', "'snippets/watch-sqlite.sql'"],
      'wire-call.ts',
    ],
  },
  {
    by: 'test/snippets/hosts.test.ts',
    files: ['dialect.ts', 'keys.ts', 'mounting.ts', 'options.ts', 'routing.ts', 'sqlite-driver.ts'],
  },
  {
    by: 'test/snippets/operators.test.ts',
    files: [
      'admin-over-http.ts',
      'cells.ts',
      'console.ts',
      'cors.ts',
      'observability.ts',
      'openai-provider.ts',
      'reconciling.ts',
    ],
  },
  {
    by: 'test/snippets/folder-program.ts',
    files: ['configuration-errors.ts', 'observability.ts', 'options.ts', 'telemetry.ts'],
  },
  {
    by: 'test/snippets/databases.proof.test.ts',
    files: ['cells.ts', 'hardening.ts', 'mysql.ts', 'mysql-cluster.ts', 'postgres.ts'],
  },
  {
    by: 'test/snippets/programs.proof.test.ts',
    files: [
      ['deploy/src/gateway.ts', 'deploy/src/gateway.ts'],
      ['deploy/src/worker.ts', 'deploy/src/worker.ts'],
      ['sweeper.ts', "'sweeper.ts'"],
    ],
  },
  { by: 'test/snippets/processes-program.ts', files: ['sweeper.ts'] },
  { by: 'test/elements/elements-world.ts', files: ['elements/page.ts'] },
  {
    by: 'test/deployment-files.test.ts',
    files: [
      ['deploy/Caddyfile', "'Caddyfile'"],
      ['deploy/Dockerfile', "'Dockerfile'"],
      ['deploy/compose.yaml', "'compose.yaml'"],
      ['deploy/kubernetes.yaml', "'kubernetes.yaml'"],
      ['deploy/nginx.conf', "'nginx.conf'"],
      'deploy/src/open-gateway.ts',
      ['deploy/tollgate.service', "'tollgate.service'"],
    ],
  },
  {
    by: 'test/webhook-receivers.test.ts',
    files: ['webhooks/verify.ts', ['webhooks/verify.pl', "'verify.pl'"], ['webhooks/verify.py', "'verify.py'"]],
  },
  { by: 'test/replica.proof.test.ts', files: ['postgres.ts', 'replica.sql'] },
  { by: 'test/curls/curl-world.ts', files: ['options.ts'] },
  { by: 'test/admin/page.test.ts', files: ['admin-over-http.ts'] },
  { by: 'test/ai-sdk-upstream.test.ts', files: ['ai-sdk-provider.ts'] },
  { by: 'test/anthropic-upstream.test.ts', files: ['anthropic-client.ts', 'anthropic-provider.ts'] },
  { by: 'test/backup-page.test.ts', files: ['back-up.ts'] },
  { by: 'docs/snippets/back-up.ts', files: [['backup.ts', './backup.ts']] },
  { by: 'test/clients/ai-sdk.test.ts', files: ['ai-sdk-client.ts'] },
  { by: 'test/clients/google-snippets.test.ts', files: ['google-clients.ts'] },
  { by: 'test/clients/langchain.test.ts', files: ['langchain-client.ts'] },
  { by: 'test/clients/ollama-table.test.ts', files: ['ollama-client.ts'] },
  { by: 'test/clients/openai-media-table.test.ts', files: ['openai-media.ts'] },
  { by: 'test/conformance/conformance.test.ts', files: ['conformance.ts'] },
  { by: 'test/gateway-suite-snippet.test.ts', files: ['gateway-suite.ts'] },
  { by: 'test/google-upstream.test.ts', files: ['google-provider.ts'] },
  { by: 'test/host-callers.test.ts', files: ['callers.ts'] },
  { by: 'test/host-dialect.test.ts', files: ['dialect.ts'] },
  { by: 'test/migrating-pages.test.ts', files: ['imported-keys.ts', 'migrated-gateway.ts'] },
  { by: 'test/payments-snippet.test.ts', files: ['payments.ts'] },
  { by: 'test/prices-snippet.test.ts', files: ['prices.ts'] },
  { by: 'test/reference.test.ts', files: ['reference-openai.ts'] },
  { by: 'test/testing-page.test.ts', files: ['testing.ts'] },
  { by: 'test/triggers-page.test.ts', files: ['triggers.ts'] },
  { by: 'test/webhook-options.test.ts', files: ['webhooks.ts'] },
  { by: 'packages/storage-sqlite/src/driver-storage.test.ts', files: ['sqlite-driver.ts'] },
  {
    by: 'scripts/check-hosts.ts',
    files: [
      ['hosts/worker/worker.ts', 'worker/worker.ts'],
      ['hosts/worker/config.capnp', 'config.capnp'],
    ],
  },
  hosts,
];

/** What nothing runs by its name, and why. */
export const notRunByName: Readonly<Record<string, string>> = {
  'tsconfig.json': 'settings of the type check, which reads them',
  'elements/tsconfig.json': 'settings of the type check, which reads them',
  'deploy/.dockerignore': 'read by a build of an image, which needs Docker',
  'deploy/src/tariff.ts': 'imported by deploy/src/open-gateway.ts',
  'hosts/gateway.ts': 'imported by the programs of docs/hosts',
  'hosts/express-cluster.ts':
    'hosts/express.ts in four processes, which a test of one core would start for nothing but its fork',
};
