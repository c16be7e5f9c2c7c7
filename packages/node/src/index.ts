export type { NodeBodyLimits } from './read-node-body.ts';
export { closeOnSignal, serve, type RunningServer, type Servable, type ServeOptions } from './serve.ts';
export { toNodeListener, type NodeListener } from './to-node-listener.ts';
