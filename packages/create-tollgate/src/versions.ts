/** Packages of others in generated projects, in versions with which each project was tried. */
export const versions = {
  '@hono/node-server': '^2.1.8',
  '@types/express': '^5.0.6',
  '@types/node': '^24.19.2',
  '@types/pg': '^8.23.1',
  '@types/react': '^19.0.0',
  express: '^5.3.0',
  fastify: '^5.12.8',
  hono: '^4.13.19',
  next: '^16.4.6',
  openai: '^7.57.0',
  pg: '^8.23.1',
  react: '^19.3.1',
  'react-dom': '^19.3.1',
  stripe: '^23.1.0',
  typescript: '^7.0.2',
} as const;

export type OutsidePackage = keyof typeof versions;
