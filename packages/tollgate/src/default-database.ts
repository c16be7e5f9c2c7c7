/** Where the embedded gateway and the command line keep everything by default. */
export const defaultDatabase = './tollgate-data/tollgate.db';
