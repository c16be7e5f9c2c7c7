/**
 * How long this thread has computed, in milliseconds. A test that bounds a computation measures by this and not by a clock:
 * what else the machine does is not in it.
 */
export const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
