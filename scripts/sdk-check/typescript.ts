import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, contract, type ProgramEnv, programs, root } from './check.ts';
import { execute, expectNoWarning } from './commands.ts';
import { installNpmPackages, npmBin } from './npm-packages.ts';
import { generateWithJar } from './openapi-generator.ts';

const ours = join(root, 'node_modules/.bin');

const compilerOptions = {
  strict: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
};

/** Option that adds the file extension to imports, which Node needs. */
const ESM = ['--additional-properties=importFileExtension=.js'];

interface Generator {
  generator: string;
  program: string;
  generate: (folder: string) => Promise<void>;
}

const generators: Generator[] = [
  {
    generator: '@hey-api/openapi-ts',
    program: 'hey-api.ts',
    async generate(folder) {
      const generate = ['-i', contract, '-o', join(folder, 'client'), '-c', '@hey-api/client-fetch'];
      expectNoWarning(await execute(join(npmBin, 'openapi-ts'), generate, { cwd: folder }));
    },
  },
  {
    generator: 'openapi-typescript, openapi-fetch',
    program: 'openapi-fetch.ts',
    async generate(folder) {
      // Runs outside our root, because Redocly would use our redocly.yaml there.
      const generate = [contract, '-o', join(folder, 'schema.ts')];
      expectNoWarning(await execute(join(ours, 'openapi-typescript'), generate, { cwd: folder }));
    },
  },
  {
    generator: 'orval',
    program: 'orval.ts',
    async generate(folder) {
      const output = {
        target: join(folder, 'client.ts'),
        client: 'fetch',
        baseUrl: { runtime: 'process.env.SERVICE_URL' },
        override: { contentType: { exclude: ['application/pdf', 'application/zip'] } },
      };
      const config = `export default ${JSON.stringify({ client: { input: contract, output } })};`;
      await writeFile(join(folder, 'orval.config.mjs'), config);
      expectNoWarning(await execute(join(npmBin, 'orval'), ['--config', 'orval.config.mjs'], { cwd: folder }));
    },
  },
  {
    generator: 'openapi-zod-client',
    program: 'openapi-zod-client.ts',
    async generate(folder) {
      const generate = [contract, '-o', join(folder, 'client.ts')];
      expectNoWarning(await execute(join(npmBin, 'openapi-zod-client'), generate), [/DeprecationWarning/]);
    },
  },
  {
    generator: 'openapi-generator typescript-fetch',
    program: 'typescript-fetch.ts',
    generate: (folder) => generateWithJar('typescript-fetch', join(folder, 'client'), ESM),
  },
  {
    generator: 'openapi-generator typescript-axios',
    program: 'typescript-axios.ts',
    generate: (folder) => generateWithJar('typescript-axios', join(folder, 'client'), ESM),
  },
  {
    generator: 'redocly generate-client',
    program: 'redocly.ts',
    generate: (folder) => generateWithRedocly('typescript', folder),
  },
];

export const typescriptChecks: Check[] = generators.map(({ generator, program, generate }) => ({
  language: 'TypeScript',
  generator,
  async run(folder, env) {
    await prepare(folder);
    await generate(folder);
    return compileAndCall(folder, program, env);
  },
}));

/** Makes the folder a TypeScript project. Some generators also read its settings. */
async function prepare(folder: string): Promise<void> {
  await installNpmPackages();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
}

async function compileAndCall(folder: string, program: string, env: ProgramEnv): Promise<string> {
  await cp(join(programs, 'tell.ts'), join(folder, 'tell.ts'));
  await cp(join(programs, program), join(folder, 'call.ts'));
  await execute(join(npmBin, 'tsc'), ['-p', '.'], { cwd: folder });
  return execute(process.execPath, ['call.js'], { cwd: folder, env });
}

/**
 * Generates a client with Redocly, which supports several languages. For every language, Redocly expects the name of a
 * TypeScript file as its output.
 */
export async function generateWithRedocly(language: string, folder: string): Promise<void> {
  const output = join(folder, 'client.ts');
  const generate = ['generate-client', contract, '-o', output, '--generator', language];
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  expectNoWarning(await execute(join(ours, 'redocly'), generate, { env }));
}
