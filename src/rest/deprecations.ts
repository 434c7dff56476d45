import type { Request, RequestHandler, Response } from 'express';
import type { DeprecatedUses } from '../auth/deprecated-uses.ts';
import { getRequestContext, type Deprecation } from '../http/request-context.ts';

/** Page about the service's promises on deprecations. */
export const DEPRECATION_PAGE = '/docs/versioning';

/** Deprecation headers, which pages of other origins can read. */
export const DEPRECATION_HEADERS = ['Deprecation', 'Sunset', 'Link'];

export interface DeprecationSteps {
  /** Steps that come first, so that an error response also has the headers. */
  beforeBody: RequestHandler[];
  /** Steps after the body is read and before it is validated. */
  afterBody: RequestHandler[];
}

/** Builds the steps that set headers if a request uses a deprecated part; none if the operation has none. */
export function deprecationSteps(deprecations: readonly Deprecation[]): DeprecationSteps {
  const isInBody = ({ at }: Deprecation) => at.startsWith('body/');
  return {
    beforeBody: stepFor(deprecations.filter((deprecation) => !isInBody(deprecation))),
    afterBody: stepFor(deprecations.filter(isInBody)),
  };
}

function stepFor(deprecations: readonly Deprecation[]): RequestHandler[] {
  if (deprecations.length === 0) return [];
  const finders = deprecations.map((deprecation) => ({ deprecation, isUsed: createUseFinder(deprecation.at) }));
  return [
    (req, res, next) => {
      const used = finders.filter(({ isUsed }) => isUsed(req)).map(({ deprecation }) => deprecation);
      if (used.length > 0) setDeprecationHeaders(res, used);
      next();
    },
  ];
}

/** Records which key uses the deprecations that the steps have found. */
export function recordDeprecatedUses(uses: DeprecatedUses): RequestHandler {
  return async (_req, res, next) => {
    const { caller, operationId, deprecations = [] } = getRequestContext(res);
    await uses.record(
      caller!,
      operationId!,
      deprecations.map(({ at }) => at),
    );
    next();
  };
}

/** Sets the headers. With several deprecations, `Deprecation` has the earliest start and `Sunset` the earliest end. */
function setDeprecationHeaders(res: Response, newDeprecations: readonly Deprecation[]): void {
  const context = getRequestContext(res);
  const used = [...(context.deprecations ?? []), ...newDeprecations];
  context.deprecations = used;
  const first = (dates: string[]) => new Date(dates.toSorted()[0]!);
  res.setHeader('Deprecation', `@${first(used.map(({ since }) => since)).getTime() / 1000}`);
  res.setHeader('Sunset', first(used.map(({ sunset }) => sunset)).toUTCString());
  res.setHeader('Link', `<${DEPRECATION_PAGE}>; rel="deprecation"; type="text/html"`);
}

function createUseFinder(at: string): (req: Request) => boolean {
  const [location, ...steps] = at.split('/');
  const name = steps[0] ?? '';
  if (location === 'query') return (req) => Object.hasOwn(req.query, name);
  if (location === 'header') return (req) => req.headers[name.toLowerCase()] !== undefined;
  if (location === 'body') return (req) => holds(req.body, steps);
  return () => true;
}

/** Reports whether a value has a part at a path. The path consists of field names, and `[]` for any item of a list. */
function holds(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  if (step === '[]') return Array.isArray(value) && value.some((item) => holds(item, rest));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
  return holds((value as Record<string, unknown>)[step], rest);
}
