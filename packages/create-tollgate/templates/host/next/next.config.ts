import type { NextConfig } from 'next';

const config: NextConfig = {
  // Loaded from node_modules as they are: they use modules of Node, workers among them.
  serverExternalPackages: [
    'tollgate',
    // #if storage=postgres
    '@tollgate/storage-postgres',
    // #endif
    // #if provider=routed
    '@tollgate/provider-routing',
    // #endif
    // #if payments=stripe
    '@tollgate/stripe',
    // #endif
  ],
  // Next compresses streams too, and flushes each event: that costs CPU of this process. Have the proxy in front compress pages.
  compress: false,
  // `npm run typecheck` checks the types.
  typescript: { ignoreBuildErrors: true },
};

export default config;
