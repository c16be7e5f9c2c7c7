/** Next calls it once when a server starts, and never while it builds. */
export const register = async (): Promise<void> => {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { startJobs } = await import('./lib/start-jobs');
  await startJobs();
};
