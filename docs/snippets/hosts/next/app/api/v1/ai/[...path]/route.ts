// app/api/v1/ai/[...path]/route.ts
import { openGateway } from '../../../../../lib/gateway';

const handle = async (request: Request): Promise<Response> => (await openGateway()).fetch(request);

export { handle as GET, handle as POST, handle as PATCH, handle as DELETE, handle as PUT, handle as OPTIONS };
