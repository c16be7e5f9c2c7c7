/** The schema of all tables where a host names none. */
export const defaultSchema = 'tollgate';
