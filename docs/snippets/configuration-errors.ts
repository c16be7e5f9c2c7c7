import { createGateway, isConfigurationError, type GatewayOptions } from 'tollgate';

export const start = async (options: GatewayOptions) => {
  try {
    return await createGateway(options);
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
    for (const { place, message } of error.faults) console.error(place, message);
    process.exit(78); // EX_CONFIG
  }
};
