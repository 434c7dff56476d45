import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/**
 * Creates an AJV that reads the schemas of the contract as express-openapi-validator does: JSON Schema 2020-12, without
 * the keywords of OpenAPI, and with full checks of formats. The fast checks of AJV would accept 30 February as a date.
 */
export function createAjv(options: Options = {}): Ajv2020 {
  return addFormats.default(new Ajv2020({ strict: false, ...options }), { mode: 'full' });
}
