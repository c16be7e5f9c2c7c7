import { basePath } from '@tollgate/contract';
import { textOption, UsageError, type CommandInput } from './command.ts';

const shape = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** The path prefix at which the gateway on this database is found: what webhooks get begins with it. */
export const basePathOf = (input: CommandInput): string => {
  const given = textOption(input, 'base-path') ?? (input.world.environment['TOLLGATE_BASE_PATH'] || basePath);
  if (!shape.test(given)) throw new UsageError('--base-path takes a path such as /api/v1/ai');
  return given;
};
