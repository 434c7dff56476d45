import { join } from 'node:path';
import { contract } from './check.ts';
import { execute, expectNoWarning, once } from './commands.ts';
import { installPackages, python } from './python-packages.ts';

/** Warnings that openapi-generator prints for any document: OpenAPI 3.1, bodies without a schema, reserved words. */
const OF_ITSELF = [
  /OpenAPI 3\.1 support is still in beta/,
  /Failed to get the schema name: null/,
  /Ignoring complex example on request body/,
  /reserved word/,
  /cannot be used as an? [\w/ ]+ name/,
];

/** JVM settings for short runs, which take half the time without the optimising compiler. */
export const SHORT_RUN = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Returns the path of the generator's jar, which its Python package contains. */
const jar = once(async () => {
  await installPackages();
  const where = 'import openapi_generator_cli as o; print(o.__path__[0])';
  return join((await execute(python, ['-c', where])).trim(), 'openapi-generator.jar');
});

/** Generates a client without its tests and documentation. */
export async function generateWithJar(language: string, folder: string, settings: string[] = []): Promise<void> {
  await execute('java', ['-version']);
  const none = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((name) => `${name}=false`).join(',');
  const generate = ['generate', '-g', language, '-i', contract, '-o', folder, `--global-property=${none}`, ...settings];
  expectNoWarning(await execute('java', [...SHORT_RUN, '-jar', await jar(), ...generate]), OF_ITSELF);
}
