// Installs the peers beside this file, and nowhere else: node bench/peers/setup.ts
import { spawnSync } from 'node:child_process';

// Portkey's streams fail with a later @hono/node-server than the one pinned here, so versions are exact and no lock is kept.
const arguments_ = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
const { status } = spawnSync('npm', arguments_, { cwd: import.meta.dirname, stdio: 'inherit' });
process.exitCode = status ?? 1;
