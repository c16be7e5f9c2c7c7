/** Where the embedded gateway and the command line keep everything, unless they are told otherwise. */
export const defaultDatabase = './tollgate-data/tollgate.db';
