import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, contract } from './check.ts';
import { execute, expectNoWarning, fetched } from './commands.ts';
import { openapiGenerator } from './python.ts';
import { generateWithRedocly } from './typescript.ts';

/** What openapi-generator says whatever the document: of OpenAPI 3.1, of bodies without a schema, of words of the language. */
const OF_ITSELF = [
  /OpenAPI 3\.1 support is still in beta/,
  /Failed to get the schema name: null/,
  /Ignoring complex example on request body/,
  /reserved word/,
];

async function generateWithJar(language: string, folder: string, properties: string[] = []): Promise<void> {
  await execute('java', ['-version']);
  const none = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((name) => `${name}=false`).join(',');
  const generate = [
    'generate',
    '-g',
    language,
    '-i',
    contract,
    '-o',
    folder,
    `--global-property=${none}`,
    ...properties,
  ];
  expectNoWarning(await execute('java', ['-jar', await openapiGenerator(), ...generate]), OF_ITSELF);
}

const DONE = 'generated, compiled';

export const compiledChecks: Check[] = [
  {
    language: 'Go',
    generator: 'openapi-generator',
    async run(folder) {
      await execute('go', ['version']);
      // Values of enumerations are constants of the package: this keeps those of one name apart.
      await generateWithJar('go', folder, ['--additional-properties=enumClassPrefix=true']);
      await execute('go', ['vet', './...'], { cwd: folder, env: { GOFLAGS: '-mod=mod' } });
      return DONE;
    },
  },
  {
    language: 'Go',
    generator: 'redocly generate-client',
    async run(folder) {
      await execute('go', ['version']);
      await generateWithRedocly('go', folder);
      await writeFile(join(folder, 'go.mod'), 'module client\n\ngo 1.21\n');
      await execute('go', ['vet', './...'], { cwd: folder });
      return DONE;
    },
  },
  {
    language: 'Java',
    generator: 'openapi-generator',
    async run(folder) {
      await execute('mvn', ['-version']);
      await generateWithJar('java', folder, ['--library', 'native']);
      const maven = ['--quiet', '--batch-mode'];
      await fetched('its Maven packages', () => execute('mvn', [...maven, 'dependency:resolve'], { cwd: folder }));
      await execute('mvn', [...maven, 'compile'], { cwd: folder });
      return DONE;
    },
  },
  {
    language: 'Java',
    generator: 'redocly generate-client',
    async run(folder) {
      await execute('javac', ['-version']);
      await generateWithRedocly('java', folder);
      await execute('javac', ['-Xlint:all', '-Werror', '-d', 'classes', 'Client.java'], { cwd: folder });
      return DONE;
    },
  },
  {
    language: 'C#',
    generator: 'openapi-generator',
    async run(folder) {
      await execute('dotnet', ['--version']);
      await generateWithJar('csharp', folder);
      const project = join(folder, 'src/Org.OpenAPITools');
      await fetched('its NuGet packages', () => execute('dotnet', ['restore'], { cwd: project }));
      await execute('dotnet', ['build', '--no-restore'], { cwd: project });
      return DONE;
    },
  },
];
