import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { contractRoutes } from '../kit/routes.ts';
import { upstreamWords } from '../kit/vocabulary.ts';

/** A path of a description, without the names of its parameters. */
const plain = (path: string): string => path.replaceAll(/\{[^}]+\}/gu, '{}');

export const versioningCases: readonly ConformanceCase[] = [
  conformanceCase(
    'publishes the contract as OpenAPI',
    {
      rules: [
        'versioning:openapi:version',
        'versioning:openapi:complete',
        'versioning:neutral-names',
        'models:get:statuses',
      ],
    },
    async (kit) => {
      const document = kit.taken('versioning:openapi:version', await kit.send({ path: '/openapi.json' }));
      kit.same(
        'versioning:openapi:version',
        [document.at('openapi').value, document.at('info', 'version').value],
        ['3.1.0', '1.5.0'],
        'openapi and info.version',
      );
      const described = new Map(
        document
          .at('paths')
          .keys()
          .map((path) => [plain(path.replace(/^\/api\/v1\/ai/u, '')), document.at('paths', path)]),
      );
      for (const { method, path } of contractRoutes)
        kit.holds(
          'versioning:openapi:complete',
          described.get(plain(path))?.at(method.toLowerCase()).value !== undefined,
          `${method} ${path} is not described`,
        );
      const names = [...document.at('paths').keys(), ...document.at('components', 'schemas').keys()].filter((name) =>
        contractRoutes.some(({ path }) => plain(path) === plain(name)),
      );
      kit.holds(
        'versioning:neutral-names',
        !names.some((name) => upstreamWords.test(name)),
        'a path of the contract names an upstream',
      );
      const statuses = described.get('/models/{}')?.at('get', 'responses').keys() ?? [];
      const wanted = ['200', '400', '401', '402', '403', '404', '409', '413', '422', '502', '503'];
      kit.same(
        'models:get:statuses',
        statuses.filter((status) => status !== 'default' && status !== '429').toSorted(),
        wanted,
        'the statuses of GET /models/{model}',
      );
    },
  ),
];
