import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Where others want all of a core, a tenth of it is left for a thread of this niceness. */
const lowPriority = 10;
const threads = '/proc/self/task';

/** As Node names the threads on which V8 compiles and looks for garbage, from release 24 on. */
const isOfV8 = (thread: string): boolean => readFileSync(`${threads}/${thread}/comm`, 'utf8').trim() === 'V8Worker';

const lower = (thread: string): boolean => {
  try {
    if (!isOfV8(thread)) return false;
    // Not above that of a process which is itself to be behind others.
    setPriority(Number(thread), Math.max(getPriority(), lowPriority));
    return true;
  } catch {
    // The thread has ended meanwhile, or a sandbox forbids the call.
    return false;
  }
};

/**
 * Lets the event loop go first where it has no core of its own: the threads on which V8 compiles and looks for garbage get a
 * lower priority, so that a request need not wait until their time slice is over, which is some milliseconds. To be called once,
 * when the process starts.
 *
 * Answers how many threads were changed. None are where threads have no priority or no name of their own, which is on other
 * systems than Linux and in Node before release 24, and where the system forbids it. Never throws.
 */
export const preferEventLoop = (): number => {
  if (process.platform !== 'linux') return 0;
  try {
    return readdirSync(threads).filter(lower).length;
  } catch {
    return 0;
  }
};
