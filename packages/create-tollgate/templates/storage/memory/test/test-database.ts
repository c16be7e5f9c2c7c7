/** Each gateway in memory has its own data, so that there is nothing to create. */
export const createTestDatabase = async () => ({ environment: {}, drop: async () => {} });
