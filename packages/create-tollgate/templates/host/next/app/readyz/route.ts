import { theGateway } from '../../src/the-gateway.ts';

// Asked at each request, never while the project is built.
export const dynamic = 'force-dynamic';

export const GET = async (request: Request): Promise<Response> => (await theGateway()).fetch(request);
