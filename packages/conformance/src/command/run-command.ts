import { writeFile } from 'node:fs/promises';
import { CannotRun } from '../kit/cannot-run.ts';
import type { CaseResult, ConformanceReport } from '../kit/report.ts';
import { runConformance, selectCases } from '../kit/run-conformance.ts';
import { startReceiver, type Receiver } from '../receiver/start-receiver.ts';
import { startUpstream, type Upstream } from '../upstream/scripted-upstream.ts';
import { printPlan, printReport, reportJson } from './print-report.ts';
import { readOptions, usage, type CommandOptions } from './read-options.ts';

export interface CommandWorld {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const exitCodes = { kept: 0, broken: 1, notTried: 2 } as const;

const listCases = (only: readonly string[], print: CommandWorld['print']): void => {
  for (const { title, rules, needs } of selectCases(only))
    print(`${title}\n    ${rules.join(' ')}${needs.length === 0 ? '' : `\n    needs ${needs.join(', ')}`}`);
};

const printCase = ({ kind, title, reason }: CaseResult, print: CommandWorld['print']): void => {
  if (kind !== 'passed') print(`${kind}: ${title}${reason === null ? '' : ` (${reason})`}`);
};

const startWith = async <T>(what: string, start: () => Promise<T>): Promise<T> => {
  try {
    return await start();
  } catch (error) {
    throw new CannotRun(`${what} cannot be started: ${error instanceof Error ? error.message : String(error)}.`);
  }
};

const run = async (options: CommandOptions, { print }: CommandWorld): Promise<ConformanceReport> => {
  const { upstreamPort, webhookUrl, webhookPort } = options;
  let upstream: Upstream | undefined;
  let receiver: Receiver | undefined;
  try {
    if (upstreamPort !== undefined) {
      upstream = await startWith(`The upstream at port ${upstreamPort}`, () => startUpstream(upstreamPort));
      print(`The upstream of the kit listens at ${upstream.url}`);
    }
    if (webhookUrl !== undefined && webhookPort !== undefined)
      receiver = await startWith(`The receiver at port ${webhookPort}`, () =>
        startReceiver({ url: webhookUrl, port: webhookPort }),
      );
    return await runConformance(
      { ...options, upstream, receiver },
      { onPlan: (plan) => printPlan(plan, print), onCase: (result) => printCase(result, print) },
    );
  } finally {
    await upstream?.close();
    await receiver?.close();
  }
};

/** Runs the command; returns its exit code. */
export const runCommand = async (args: readonly string[], world: CommandWorld): Promise<number> => {
  try {
    const options = readOptions(args);
    if (options.help) world.print(usage);
    else if (options.list) listCases(options.only, world.print);
    if (options.help || options.list) return exitCodes.kept;
    const report = await run(options, world);
    printReport(report, world.print);
    if (options.json !== undefined) await writeFile(options.json, reportJson(report));
    if (report.cases.every(({ kind }) => kind === 'skipped')) {
      world.complain('No case could run: see what each needs.');
      return exitCodes.notTried;
    }
    return report.rules.some(({ kind }) => kind === 'failed') ? exitCodes.broken : exitCodes.kept;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    world.complain(error.message);
    return exitCodes.notTried;
  }
};
