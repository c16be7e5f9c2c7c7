import { readFileSync, readdirSync } from 'node:fs';

/** `getconf CLK_TCK` on every Linux that Node runs on. */
const ticksPerSecond = 100;
const kibPerMib = 1024;

const readProc = (path: string): string | null => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    // The process has ended meanwhile, or this is no Linux.
    return null;
  }
};

/** Fields of `/proc/<pid>/stat` behind the name, which may itself hold spaces and brackets. */
const statFields = (pid: number): readonly string[] =>
  readProc(`${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ') ?? [];

const childrenOf = (pid: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      (readProc(`${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
};

const treeOf = (pid: number): readonly number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** CPU time of a process, all its threads and all processes below it. */
export const cpuSecondsOf = (pid: number): number =>
  sum(
    treeOf(pid).map((each) => {
      const fields = statFields(each);
      return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
    }),
  );

/** CPU time of the whole machine since it started, idle and waiting time left out. */
export const machineCpuSeconds = (): number => {
  const [first = ''] = (readProc('stat') ?? '').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = first.split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softIrq + steal) / ticksPerSecond;
};

const statusMib = (pid: number, name: string): number => {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readProc(`${pid}/status`) ?? '')?.[1];
  return Number(kib ?? 0) / kibPerMib;
};

export interface MemoryUse {
  readonly rssMib: number;
  /** The most it ever was. */
  readonly peakMib: number;
}

/** Resident memory of a process and all below it. */
export const memoryOf = (pid: number): MemoryUse => {
  const tree = treeOf(pid);
  return {
    rssMib: sum(tree.map((each) => statusMib(each, 'VmRSS'))),
    peakMib: sum(tree.map((each) => statusMib(each, 'VmHWM'))),
  };
};
