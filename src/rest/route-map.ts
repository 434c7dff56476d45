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
  /** What stands between the slashes; the place of a parameter is undefined. */
  segments: readonly (string | undefined)[];
  parameters: readonly { name: string; index: number }[];
  steps: readonly RequestHandler[];
}

/**
 * A handler that takes the first of the routes that matches, and passes on what none does, as a router of Express would.
 * It looks only at routes whose paths are as long and begin alike: a router tries all of them, one after another.
 * @param under what all paths begin with, in lower case, where Express has not taken it off. In a request its case does
 *   not count, as where Express does.
 */
export function routeMap(routes: readonly MappedRoute[], under = ''): RequestHandler {
  const candidatesOf = new Map<string, Candidate[]>();
  for (const route of routes) {
    const candidate = candidateOf(route);
    const key = keyOf(candidate.segments);
    candidatesOf.set(key, [...(candidatesOf.get(key) ?? []), candidate]);
  }
  return (req, res, next) => {
    const { path } = req;
    if (under !== '' && path.slice(0, under.length).toLowerCase() !== under) return next();
    const segments = path.slice(under.length).split('/');
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const found = candidatesOf.get(keyOf(segments))?.find((candidate) => {
      return (candidate.method === undefined || candidate.method === method) && matches(candidate, segments);
    });
    if (!found) return next();
    req.params = parametersOf(found, segments);
    takeSteps(found.steps, req, res, next);
  };
}

function candidateOf({ method, path, steps }: MappedRoute): Candidate {
  const parts = path.split('/').map((part) => ({ part, name: /^\{(\w+)\}$/.exec(part)?.[1] }));
  return {
    method: method?.toUpperCase(),
    segments: parts.map(({ part, name }) => (name === undefined ? part : undefined)),
    parameters: parts.flatMap(({ name }, index) => (name === undefined ? [] : { name, index })),
    steps,
  };
}

function keyOf(segments: readonly (string | undefined)[]): string {
  return `${segments.length}/${segments[1]}`;
}

function matches({ segments }: Candidate, given: readonly string[]): boolean {
  return segments.every((segment, index) => (segment === undefined ? given[index] !== '' : segment === given[index]));
}

/** @throws {URIError} for a part of the path that is no UTF-8 */
function parametersOf({ parameters }: Candidate, given: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, index } of parameters) {
    const text = given[index]!;
    values[name] = text.includes('%') ? decodeURIComponent(text) : text;
  }
  return values;
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
