import { createGateway } from 'tollgate';

export const gateway = await createGateway({ compatibility: { openai: true }, probes: true });
