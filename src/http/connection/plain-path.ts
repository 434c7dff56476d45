import type { RequestHandler } from 'express';

/**
 * Removes empty segments, including a trailing one, from paths below a prefix. Some clients append `/Users` to a URL
 * that ends with a slash.
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
