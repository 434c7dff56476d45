import type { Request, RequestHandler, Response } from 'express';

export interface MappedRoute {
  /** In lower case; undefined for every method. GET is HEAD, too. */
  method?: string;
  /** As in the contract: `/learners/{learnerId}`. Case and a slash at the end count. */
  path: string;
  steps: readonly RequestHandler[];
}

interface Candidate {
  method: string | undefined;
  /** What stands between the slashes; the name of a parameter in braces. */
  segments: readonly string[];
  steps: readonly RequestHandler[];
}

/**
 * A handler that takes the first of the routes that matches, and passes on what none does, as a router of Express would.
 * It looks only at routes whose paths are as long and begin alike: a router tries all of them, one after another.
 */
export function routeMap(routes: readonly MappedRoute[]): RequestHandler {
  const candidatesOf = new Map<string, Candidate[]>();
  for (const { method, path, steps } of routes) {
    const segments = path.split('/');
    const candidates = candidatesOf.get(keyOf(segments));
    const candidate = { method: method?.toUpperCase(), segments, steps };
    if (candidates) candidates.push(candidate);
    else candidatesOf.set(keyOf(segments), [candidate]);
  }
  return (req, res, next) => {
    const segments = req.path.split('/');
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const found = candidatesOf.get(keyOf(segments))?.find((candidate) => {
      return (candidate.method === undefined || candidate.method === method) && matches(candidate, segments);
    });
    if (!found) return next();
    req.params = parametersOf(found, segments);
    takeSteps(found.steps, req, res, next);
  };
}

function keyOf(segments: readonly string[]): string {
  return `${segments.length}/${segments[1]}`;
}

function matches({ segments }: Candidate, given: readonly string[]): boolean {
  return segments.every((segment, index) => (segment.startsWith('{') ? given[index] !== '' : segment === given[index]));
}

/** @throws {URIError} for a part of the path that is no UTF-8 */
function parametersOf({ segments }: Candidate, given: readonly string[]): Record<string, string> {
  const parameters = Object.create(null) as Record<string, string>;
  for (const [index, segment] of segments.entries()) {
    if (segment.startsWith('{')) parameters[segment.slice(1, -1)] = decodeURIComponent(given[index]!);
  }
  return parameters;
}

/** Takes one step after the other; a failure in one is handed to `next`. */
function takeSteps(
  steps: readonly RequestHandler[],
  req: Request,
  res: Response,
  next: (error?: unknown) => void,
): void {
  let taken = 0;
  const take = (error?: unknown): void => {
    const step = steps[taken++];
    if (error || !step) return next(error);
    try {
      const done: unknown = step(req, res, take);
      if (done instanceof Promise) done.catch(next);
    } catch (thrown) {
      next(thrown);
    }
  };
  take();
}
