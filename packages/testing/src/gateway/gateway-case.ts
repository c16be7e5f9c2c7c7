import type { GatewaySettings } from './gateway-under-test.ts';
import type { GatewayWorld } from './gateway-world.ts';

/** One thing that every gateway must do. The title names the rules it proves, in square brackets. */
export interface GatewayCase {
  readonly title: string;
  readonly run: (world: GatewayWorld) => Promise<void>;
  readonly settings: GatewaySettings;
}

export const gatewayCase = (title: string, run: GatewayCase['run'], settings: GatewaySettings = {}): GatewayCase => ({
  title,
  run,
  settings,
});
