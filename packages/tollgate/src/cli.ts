#!/usr/bin/env node
import { runCommandLine } from './cli/run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  environment: process.env,
  // Ends at once what a signal has stopped, and leaves a running server alone.
  exit: (code) => process.exit(code),
});
