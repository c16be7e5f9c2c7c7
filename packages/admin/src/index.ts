export { bearer, type BearerCredential } from './bearer.ts';
export type { AdminCaller, Authorize } from './admin-caller.ts';
export { adminHandler, type AdministeredGateway, type AdminHandler } from './admin-handler.ts';
export type { AdminHandlerOptions } from './handler-options.ts';
export type { AdminErrorCode } from './admin-error.ts';
export { adminRoutes } from './route-table.ts';
export type { AdminRoute } from './admin-route.ts';
export { createAdminOpenApi, type AdminOpenApi } from './open-api.ts';
