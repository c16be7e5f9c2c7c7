import type { NextConfig } from 'next';

const config: NextConfig = {
  // The packages are not bundled: SQLite of Node and the worker threads are loaded from where they are installed.
  serverExternalPackages: ['tollgate', '@tollgate/storage-sqlite'],
};

export default config;
