/** Reports whether a browser requests a page ahead of time, before anybody sees it. */
export function isPrefetch(purpose: string | undefined): boolean {
  return purpose !== undefined && /\bprefetch\b|\bpreview\b/i.test(purpose);
}
