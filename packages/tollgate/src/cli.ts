#!/usr/bin/env node
const nodeMin = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])) {
  process.stderr.write(`tollgate needs Node ${nodeMin.join('.')} or later; this is ${process.versions.node}\n`);
  process.exit(1);
}

// Loaded only now: what it imports is not there in an older Node, which could say no more than that.
const { runCommandLine } = await import('./cli/run-command-line.ts');

// The reader of a pipe may leave early, as `head` does: what it does not want is not printed, and the work goes on.
let isUnread = false;
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause;
  isUnread = true;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  isUnread: () => isUnread || process.stdout.errored !== null,
  environment: process.env,
  // Ends at once what a signal has stopped, and leaves a running server alone.
  exit: (code) => process.exit(code),
});
