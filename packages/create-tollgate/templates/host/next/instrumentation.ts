/** Next calls it once when the server starts, and not when the project is built. */
export const register = async (): Promise<void> => {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { theGateway } = await import('./src/the-gateway.ts');
  await theGateway();
};
