export { describeGateway, runGatewayCase } from './gateway/describe-gateway.ts';
export type { GatewayCase } from './gateway/gateway-case.ts';
export { gatewayCases } from './gateway/gateway-cases.ts';
export type {
  GatewayOpening,
  GatewaySettings,
  GatewayUnderTest,
  OpenGateway,
  WalletUnderTest,
} from './gateway/gateway-under-test.ts';
export type { GatewayWorld } from './gateway/gateway-world.ts';
export { dialSocket, socketPair, type ServerSocket, type SuiteSocket } from './gateway/suite-socket.ts';
