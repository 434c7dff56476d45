import type { RequestHandler } from 'express';

/**
 * Reads a path below a prefix without its empty segments, one at its end included: clients put the address of a service,
 * with a slash at its end, before `/Users`.
 * @param prefix in lower case, such as `/scim`
 */
export function withoutEmptySegments(prefix: string): RequestHandler {
  return (req, _res, next) => {
    const [path = '', ...query] = req.url.split('?');
    const plain = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
    if (plain !== path && plain.toLowerCase().startsWith(`${prefix}/`)) req.url = [plain, ...query].join('?');
    next();
  };
}
