/**
 * `node:http`, as every module of this package asks for it. Where a module imports it, Node makes all of its exports ready, and some
 * of them are classes of the web for which Node then loads its own client of HTTP: that takes 24 ms of every start, and nothing
 * here uses them.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
