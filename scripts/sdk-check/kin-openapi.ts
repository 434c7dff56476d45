import { join } from 'node:path';
import { attempt } from './attempts.ts';
import { root } from './check.ts';
import { formatName } from './clients-table.ts';
import { execute } from './commands.ts';
import { installGoCommand } from './go.ts';

const VALIDATE = 'github.com/getkin/kin-openapi/cmd/validate@v0.153.0';
const DOCUMENTS = ['openapi.json', 'scim.json'];

/** Validates our documents with kin-openapi, which Go programs use to read OpenAPI. Returns the problems. */
export async function validateDocuments(wanted: string): Promise<string[]> {
  if (!formatName('Go', 'kin-openapi').toLowerCase().includes(wanted)) return [];
  return attempt('Go', 'kin-openapi', async () => {
    const validate = await installGoCommand(VALIDATE);
    for (const name of DOCUMENTS) await execute(validate, ['--multi', '--', join(root, 'generated', name)]);
    return `accepts ${DOCUMENTS.join(' and ')}`;
  });
}
