import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, contract, workshop } from './check.ts';
import { execute, fetched, once } from './commands.ts';
import type { DemoService } from './demo-service.ts';
import { expectCalled, generateWithRedocly } from './typescript.ts';

const environment = join(workshop, 'python');
const bin = join(environment, 'bin');

/** Makes a virtual environment with what requirements.txt names, unless it is there. */
export const installPackages = once(async () => {
  const installed = join(environment, '.installed');
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const wanted = await readFile(requirements, 'utf8');
  if ((await readFile(installed, 'utf8').catch(() => '')) === wanted) return;
  await mkdir(workshop, { recursive: true });
  await fetched('a virtual environment', () => execute('python3', ['-m', 'venv', '--clear', environment]));
  const pip = ['install', '--quiet', '--retries', '1', '--timeout', '20', '-r', requirements];
  await fetched('its Python packages', () => execute(join(bin, 'pip'), pip));
  await cp(requirements, installed);
});

/** Where the jar of openapi-generator is, which its Python package brings along. */
export const openapiGenerator = once(async () => {
  await installPackages();
  const where = 'import openapi_generator_cli as o; print(o.__path__[0])';
  return join((await execute(join(bin, 'python'), ['-c', where])).trim(), 'openapi-generator.jar');
});

async function compileAndCall(folder: string, program: string, service: DemoService): Promise<string> {
  await writeFile(join(folder, 'call.py'), program);
  await execute(join(bin, 'python'), ['-W', 'error', '-m', 'compileall', '-q', '.'], { cwd: folder });
  const env = { SERVICE_URL: `${service.url}/v1`, SERVICE_KEY: service.key };
  expectCalled(await execute(join(bin, 'python'), ['call.py'], { cwd: folder, env }), service);
  return 'generated, compiled, called';
}

const arguments_ = `import os
url, key = os.environ["SERVICE_URL"], os.environ["SERVICE_KEY"]
`;

export const pythonChecks: Check[] = [
  {
    language: 'Python',
    generator: 'openapi-python-client',
    async run(folder, service) {
      await installPackages();
      const config = join(import.meta.dirname, 'openapi-python-client.yaml');
      const generate = ['generate', '--path', contract, '--config', config, '--meta', 'none', '--fail-on-warning'];
      const env = { PATH: `${bin}:${process.env.PATH}` };
      await execute(join(bin, 'openapi-python-client'), [...generate, '--output-path', join(folder, 'client')], {
        env,
      });
      return compileAndCall(
        folder,
        `${arguments_}
from client import AuthenticatedClient
from client.api.company import get_company
from client.api.learners import get_learner, list_learners
client = AuthenticatedClient(base_url=url, token=key)
company = get_company.sync(client=client).data
learners = list_learners.sync(client=client).data
missing = get_learner.sync("nobody", client=client).error
print(f"{company.name}: {len(learners)} learners; {missing.code.value}")
`,
        service,
      );
    },
  },
  {
    language: 'Python',
    generator: 'redocly generate-client',
    async run(folder, service) {
      await installPackages();
      await generateWithRedocly('python', folder);
      return compileAndCall(
        folder,
        `${arguments_}
from client import ApiError, Client
client = Client(url, auth={"bearer": key})
company = client.get_company().data
learners = client.list_learners().data
try:
    client.get_learner("nobody")
except ApiError as error:
    print(f"{company.name}: {len(learners)} learners; {error.body['error']['code']}")
`,
        service,
      );
    },
  },
];
