/** The page's program: one module that imports nothing. */
export declare const script: string;
/** The page's stylesheet. */
export declare const style: string;
