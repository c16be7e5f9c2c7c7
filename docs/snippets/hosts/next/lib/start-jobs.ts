import { closeOnSignal } from 'tollgate';
import { openGateway } from './gateway';

export const startJobs = async (): Promise<void> => {
  const gateway = await openGateway();
  gateway.jobs.start();
  closeOnSignal(gateway, (code) => process.exit(code));
};
