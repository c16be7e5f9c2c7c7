import type { AdminRoute } from './admin-route.ts';
import { accountRows } from './rows/account-rows.ts';
import { walletRows } from './rows/wallet-rows.ts';
import { eventRows } from './rows/event-rows.ts';
import { keyRows } from './rows/key-rows.ts';
import { operationRows } from './rows/operation-rows.ts';
import { priceRows } from './rows/price-rows.ts';
import { projectRows } from './rows/project-rows.ts';
import { reconcileRows } from './rows/reconcile-rows.ts';
import { scheduleRows } from './rows/schedule-rows.ts';
import { systemRows } from './rows/system-rows.ts';
import { tokenRows } from './rows/token-rows.ts';
import { usageRows } from './rows/usage-rows.ts';
import { verdictRows } from './rows/verdict-rows.ts';

/** Every route of the administration. Routing, the OpenAPI document and the documentation follow from it. */
export const adminRoutes: readonly AdminRoute[] = [
  ...accountRows,
  ...walletRows,
  ...projectRows,
  ...keyRows,
  ...tokenRows,
  ...operationRows,
  ...verdictRows,
  ...reconcileRows,
  ...usageRows,
  ...priceRows,
  ...eventRows,
  ...scheduleRows,
  ...systemRows,
];
