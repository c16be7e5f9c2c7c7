import { GatewayError } from '@tollgate/contract';
import { decimalFromMicros, readOwnBalance, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import type { Service } from '../service.ts';
import { knownParameters } from './account-query.ts';

/** GET /account/balance: the credits of the caller's account. */
export const getAccountBalance = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  knownParameters(request, []);
  const balance = await readOwnBalance(service.engine, access);
  if (balance === null)
    throw new GatewayError('not_found', {
      detail: 'The operator of this gateway keeps the balances elsewhere; they cannot be read here.',
    });
  const { balanceMicros, reservedMicros, owedMicros } = balance;
  const body = {
    object: 'account.balance',
    balance_credits: decimalFromMicros(balanceMicros),
    reserved_credits: decimalFromMicros(reservedMicros),
    available_credits: decimalFromMicros(balanceMicros - reservedMicros),
    owed_credits: decimalFromMicros(owedMicros),
  };
  return jsonAnswer(JSON.stringify(body));
};
