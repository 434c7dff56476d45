import { type JsonObject, text } from '../document.ts';

/**
 * Returns the content types that a part of a form can have, and how its value is serialised. The default style is that
 * of a query parameter, except for objects, which are JSON.
 */
export function normalEncoding(encoding: JsonObject): JsonObject {
  const types = text(encoding.contentType)
    .split(',')
    .map((type) => type.trim().toLowerCase())
    .filter(Boolean)
    .toSorted();
  const isStyled = ['style', 'explode', 'allowReserved'].some((keyword) => encoding[keyword] !== undefined);
  const style = text(encoding.style) || 'form';
  const serialization = {
    style,
    explode: encoding.explode ?? style === 'form',
    allowReserved: encoding.allowReserved === true,
  };
  return { contentType: [...new Set(types)], isStyled, ...serialization };
}
