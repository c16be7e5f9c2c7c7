export type { NodeLimits } from './node-limits.ts';
export { closeOnSignal, serve, type RunningServer, type Servable, type ServeOptions } from './serve.ts';
export { toNodeListener, type NodeListener } from './to-node-listener.ts';
