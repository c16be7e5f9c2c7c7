/** How many times more histories than usual are run: `TOLLGATE_HISTORIES=100`, or the scale of all long tests. */
export const runScale = Number(process.env['TOLLGATE_HISTORIES'] ?? process.env['TEST_SCALE'] ?? '1');
