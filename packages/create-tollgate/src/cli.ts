#!/usr/bin/env node
const nodeMin = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])) {
  process.stderr.write(`create-tollgate needs Node ${nodeMin.join('.')} or later; this is ${process.versions.node}\n`);
  process.exit(2);
}

// Loaded only now: an older Node could say no more than that it does not understand it.
const { createInterface } = await import('node:readline/promises');
const { runCommand } = await import('./run-command.ts');

const lines =
  process.stdin.isTTY && process.stdout.isTTY
    ? createInterface({ input: process.stdin, output: process.stdout })
    : null;
// The end of the input ends the command, also in the middle of a question.
lines?.once('close', () => process.exit(process.exitCode ?? 1));
process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  ask: lines === null ? null : (question) => lines.question(question),
  environment: process.env,
});
lines?.close();
