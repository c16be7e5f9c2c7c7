import { theGateway } from '../../../../../src/the-gateway.ts';

const handle = async (request: Request): Promise<Response> => (await theGateway()).fetch(request);

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT };
