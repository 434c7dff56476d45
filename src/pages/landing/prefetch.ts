/** Whether a browser asks for a page that nobody has asked to see yet. */
export function isPrefetch(purpose: string | undefined): boolean {
  return purpose !== undefined && /\bprefetch\b|\bpreview\b/i.test(purpose);
}
