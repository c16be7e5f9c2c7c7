import { closeOnSignal, processesMax, serve, serveProcesses } from '@tollgate/node';
import type { Compatibility } from '@tollgate/routes';
import { createGateway, type Gateway } from '../create-gateway.ts';
import { basePathOf } from './base-path-option.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { contextSecretOf } from './context-secret-variable.ts';
import { exitCodes, textOption, UsageError, type CommandInput } from './command.ts';
import { openStorage } from './open-storage.ts';

const portMax = 65_535;

const portOf = (input: CommandInput): number => {
  const text = textOption(input, 'port') ?? input.world.environment['PORT'] ?? '8787';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > portMax) throw new UsageError(`--port takes a number from 0 to ${portMax}`);
  return port;
};

const processesOf = (input: CommandInput): number => {
  const processes = Number(textOption(input, 'processes') ?? '1');
  if (!Number.isInteger(processes) || processes < 1 || processes > processesMax)
    throw new UsageError(`--processes takes a number from 1 to ${processesMax}`);
  return processes;
};

const families = ['openai', 'google', 'anthropic', 'ollama'] as const;

const compatibilityOf = (input: CommandInput): Compatibility => {
  const asked: readonly string[] = textOption(input, 'compat')?.split(',') ?? [];
  if (asked.some((family) => !families.some((known) => known === family)))
    throw new UsageError(`--compat takes ${families.join(', ')}, or several of them with commas between`);
  return Object.fromEntries(families.map((family) => [family, asked.includes(family)]));
};

/** Serves until a signal, with one process or several; returns as soon as it listens. */
export const startCommand = async (input: CommandInput): Promise<number> => {
  const { world } = input;
  const address = { port: portOf(input), host: textOption(input, 'host') ?? '127.0.0.1' };
  const processes = processesOf(input);
  const compatibility = compatibilityOf(input);
  const basePath = basePathOf(input);
  const secret = contextSecretOf(input);
  const open = async (): Promise<Gateway> =>
    createGateway({
      storage: await openStorage(input, { create: true }),
      ...chooseUpstream(input),
      ...secret,
      compatibility,
      basePath,
    });
  if (processes > 1) {
    const serving = await serveProcesses(open, { ...address, processes });
    if (serving.kind === 'primary') world.print(`${processes} processes listen on ${serving.origin}${basePath}`);
    return exitCodes.done;
  }
  const running = await serve(await open(), address);
  closeOnSignal(running, world.exit);
  world.print(`listening on ${running.origin}${basePath}`);
  return exitCodes.done;
};
