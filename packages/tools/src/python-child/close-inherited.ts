import { closeSync, readFileSync, readdirSync } from 'node:fs';

const standardMax = 2;
const table = '/proc/self/fdinfo';
/** O_CLOEXEC, in the octal digits of the table. */
const closedByExec = 0o2_000_000;

/** Whether a descriptor came from the parent: what the process has opened itself is closed where another program takes its place. */
const isInherited = (descriptor: number): boolean => {
  try {
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`${table}/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closedByExec) === 0;
  } catch {
    // It was the one that the table itself was read through.
    return false;
  }
};

/**
 * Closes every descriptor above the standard ones that the parent has handed down, on Linux. Elsewhere none is: macOS and Windows
 * start this process with the standard ones alone. Throws where the system shows no table of them.
 */
export const closeInherited = (): void => {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync(table)) {
    const descriptor = Number(name);
    if (descriptor > standardMax && isInherited(descriptor)) closeSync(descriptor);
  }
};
