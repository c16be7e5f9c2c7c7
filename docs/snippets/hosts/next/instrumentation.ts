/** Next calls it once when a server starts, and never while it builds. */
export const register = async (): Promise<void> => {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { openGateway } = await import('./lib/gateway');
  const gateway = await openGateway();
  gateway.jobs.start();
  const close = () => void gateway.close().finally(() => process.exit(0));
  process.once('SIGTERM', close).once('SIGINT', close);
};
