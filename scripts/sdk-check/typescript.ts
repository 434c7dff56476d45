import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, contract, root, workshop } from './check.ts';
import { execute, expectNoWarning, Failed, fetched, once } from './commands.ts';
import type { DemoService } from './demo-service.ts';

const ours = join(root, 'node_modules/.bin');
const theirs = join(workshop, 'node_modules/.bin');

/** Installs the tools of package-lock.json beside the clients, unless they are there. */
const installTools = once(async () => {
  const installed = join(workshop, 'node_modules/.installed');
  const lock = await readFile(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  if ((await readFile(installed, 'utf8').catch(() => '')) === lock) return;
  await mkdir(workshop, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    await cp(join(import.meta.dirname, name), join(workshop, name));
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await fetched('its npm packages', () => execute('npm', install, { cwd: workshop }));
  await writeFile(installed, lock);
});

const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'] };

/** Makes the folder a project, by whose settings generators go too. */
async function prepare(folder: string): Promise<void> {
  await installTools();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
}

/** Compiles the client with a program that calls the service, and runs that. */
async function compileAndCall(folder: string, program: string, service: DemoService): Promise<string> {
  await writeFile(join(folder, 'call.ts'), program);
  await execute(join(theirs, 'tsc'), ['-p', '.'], { cwd: folder });
  const env = { SERVICE_URL: `${service.url}/v1`, SERVICE_KEY: service.key };
  expectCalled(await execute(process.execPath, ['call.js'], { cwd: folder, env }), service);
  return 'generated, compiled, called';
}

/** @throws {Failed} unless the program has read what the service has */
export function expectCalled(said: string, { expected }: DemoService): void {
  if (said.trim() !== expected) throw new Failed(`said ${JSON.stringify(said)} instead of ${JSON.stringify(expected)}`);
}

export const typescriptChecks: Check[] = [
  {
    language: 'TypeScript',
    generator: '@hey-api/openapi-ts',
    async run(folder, service) {
      await prepare(folder);
      const generate = ['-i', contract, '-o', join(folder, 'client'), '-c', '@hey-api/client-fetch'];
      expectNoWarning(await execute(join(theirs, 'openapi-ts'), generate, { cwd: folder }));
      return compileAndCall(
        folder,
        `import { client } from './client/client.gen.js';
         import { getCompany, getLearner, listLearners } from './client/sdk.gen.js';
         client.setConfig({ baseUrl: process.env.SERVICE_URL!, auth: () => process.env.SERVICE_KEY! });
         const company = await getCompany({ throwOnError: true });
         const learners = await listLearners({ throwOnError: true });
         const missing = await getLearner({ path: { learnerId: 'nobody' } });
         console.log(\`\${company.data.data.name}: \${learners.data.data.length} learners; \${missing.error?.error.code}\`);`,
        service,
      );
    },
  },
  {
    language: 'TypeScript',
    generator: 'openapi-typescript, openapi-fetch',
    async run(folder, service) {
      await prepare(folder);
      const generate = [contract, '-o', join(folder, 'schema.ts')];
      expectNoWarning(await execute(join(ours, 'openapi-typescript'), generate));
      return compileAndCall(
        folder,
        `import createClient from 'openapi-fetch';
         import type { paths } from './schema.js';
         const headers = { authorization: \`Bearer \${process.env.SERVICE_KEY}\` };
         const client = createClient<paths>({ baseUrl: process.env.SERVICE_URL!, headers });
         const company = await client.GET('/company');
         const learners = await client.GET('/learners');
         const path = { learnerId: 'nobody' };
         const missing = await client.GET('/learners/{learnerId}', { params: { path } });
         console.log(\`\${company.data?.data.name}: \${learners.data?.data.length} learners; \${missing.error?.error.code}\`);`,
        service,
      );
    },
  },
  {
    language: 'TypeScript',
    generator: 'redocly generate-client',
    async run(folder, service) {
      await prepare(folder);
      await generateWithRedocly('typescript', folder);
      return compileAndCall(
        folder,
        `import { type ApiError, createClient, type ErrorResponse, OPERATIONS, type Ops } from './client.js';
         const client = createClient<Ops>(OPERATIONS, { serverUrl: process.env.SERVICE_URL! });
         client.auth.bearer(process.env.SERVICE_KEY!);
         const company = await client.getCompany();
         const learners = await client.listLearners();
         const missing = await client.getLearner({ path: { learnerId: 'nobody' } }).then(
           () => { throw new Error('there is no such learner'); },
           (error: ApiError) => error.body as ErrorResponse,
         );
         console.log(\`\${company.data.name}: \${learners.data.length} learners; \${missing.error.code}\`);`,
        service,
      );
    },
  },
];

/** Redocly writes clients of several languages without another tool. It wants the output named as for TypeScript. */
export async function generateWithRedocly(language: string, folder: string): Promise<void> {
  const output = join(folder, 'client.ts');
  const generate = ['generate-client', contract, '-o', output, '--generator', language];
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  expectNoWarning(await execute(join(ours, 'redocly'), generate, { env }));
}
