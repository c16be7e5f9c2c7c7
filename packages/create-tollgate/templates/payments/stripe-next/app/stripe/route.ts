import { openPayments } from '../../src/payments.ts';
import { theGateway } from '../../src/the-gateway.ts';

export const POST = async (request: Request): Promise<Response> =>
  openPayments(await theGateway(), process.env).handler(request);
