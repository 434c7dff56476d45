import type { Request } from 'express';

/** Reads a query parameter of a page; undefined if it is empty. */
export function readText({ query }: Pick<Request, 'query'>, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
