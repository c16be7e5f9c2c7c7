#!/usr/bin/env node
const nodeMin = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])) {
  process.stderr.write(
    `tollgate-conformance needs Node ${nodeMin.join('.')} or later; this is ${process.versions.node}\n`,
  );
  process.exit(2);
}

// Loaded only now: an older Node could say no more than that it does not understand it.
const { runCommand } = await import('./command/run-command.ts');

// The reader of a pipe may leave early, as `head` does: what it does not want is not printed.
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause;
});

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
});
