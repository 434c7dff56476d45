import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { operations } from '../../generated/operations.ts';
import { type Route, segmentRouter } from '../../src/rest/segment-router.ts';

interface Taken {
  route: string;
  params: Record<string, string>;
}

let taken: Taken | undefined;

/** Operations of the contract, literal paths first. */
const table = Object.values(operations).toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
const routes: Route[] = [
  ...table.map(({ method, path }) => ({ method, path, steps: [taking(`${method} ${path}`)] })),
  ...[...new Set(table.map(({ path }) => path))].map((path) => ({ path, steps: [taking(`other of ${path}`)] })),
];

function taking(route: string): RequestHandler {
  return (req) => void (taken = { route, params: { ...req.params } as Record<string, string> });
}

/** Builds an Express router with all routes, as the reference for the segment router. */
function expressRouter(): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { method, path, steps } of routes) {
    const verb = (method ?? 'all') as 'get' | 'all';
    router[verb](path.replace(/\{(\w+)\}/g, ':$1'), ...steps);
  }
  return router;
}

/** Returns the effect of a request on a router: the matched route, 'passed on', or the error's name. */
async function outcome(router: RequestHandler, method: string, url: string): Promise<Taken | string> {
  taken = undefined;
  const req = { method, url, path: url } as Request;
  const passedOn = await new Promise<unknown>((resolve) => {
    const next: NextFunction = (error?: unknown) => resolve(error ?? 'passed on');
    try {
      void router(req, {} as Response, next);
    } catch (error) {
      next(error);
    }
    if (taken) resolve(undefined);
  });
  if (passedOn instanceof Error) return (passedOn.cause ?? passedOn) instanceof URIError ? 'URIError' : passedOn.name;
  return taken ?? (passedOn as string);
}

const VALUES = ['018df51f-9660-7000-8300-000000000018', 'bulk', '%41%20b', 'a.b~c', '%', '%ff', '', '{learnerId}'];
const paths = table.flatMap(({ path }) => VALUES.map((value) => path.replace(/\{\w+\}/g, value)));
const strange = ['/', '', '//learners', '/learners//', '/nowhere', '/learners/x/y/z/w', '/LEARNERS', '/learn%65rs'];
const urls = [...new Set([...paths, ...paths.map((path) => `${path}/`), ...strange])];

test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s matches the same route and parameters as the Express router',
  async (method) => {
    const [segments, router] = [segmentRouter(routes), expressRouter()];
    for (const url of urls.filter((one) => one !== '')) {
      expect({ url, outcome: await outcome(segments, method, url) }).toEqual({
        url,
        outcome: await outcome(router, method, url),
      });
    }
  },
);

test.each([
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a library could reject so
  ['rejects without a reason', () => Promise.reject()],
  ['passes on an error', (_req: Request, _res: Response, next: NextFunction) => next(new Error('broken'))],
] as [string, RequestHandler][])('a step that %s is the last one', async (_how, step) => {
  const map = segmentRouter([
    { method: 'get', path: '/a', steps: [(_q, _s, next) => next(), step, taking('too far')] },
  ]);
  expect(await outcome(map, 'GET', '/a')).toBe('Error');
  expect(taken).toBeUndefined();
});
