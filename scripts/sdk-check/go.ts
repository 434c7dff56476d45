import { cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Check, contract, type ProgramEnv, programs, workshop } from './check.ts';
import { execute, expectNoWarning, fetched } from './commands.ts';
import { generateWithJar } from './openapi-generator.ts';
import { generateWithRedocly } from './typescript.ts';

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OGEN = 'github.com/ogen-go/ogen';
const OGEN_VERSION = 'v1.24.0';
const RUNTIME = 'github.com/oapi-codegen/runtime';
const UUID = 'github.com/google/uuid@v1.6.0';
const MODULE = 'module client\n\ngo 1.24\n';
/** A client without a server, whose calls take options. */
const OGEN_SETTINGS = { features: { disable_all: true, enable: ['paths/client', 'client/request/options'] } };
/** Harmless warnings of ogen: it writes header names in another case, and applies no pattern to a UUID or time. */
const OF_OGEN = [/Header name is not canonical/, /String validator cannot be applied to generated type/];
/** Environment that lets Go write the checksums of fetched modules to `go.sum`. */
const env = { GOFLAGS: '-mod=mod' };

export const goChecks: Check[] = [
  {
    language: 'Go',
    generator: 'openapi-generator',
    async run(folder, program) {
      await execute('go', ['version']);
      // Distinguishes enum values with the same name, and accepts responses with an unknown field.
      const settings = 'enumClassPrefix=true,disallowAdditionalPropertiesIfNotPresent=false';
      await generateWithJar('go', folder, [`--additional-properties=${settings}`]);
      return compileAndCall(folder, 'openapi-generator.go', program);
    },
  },
  {
    language: 'Go',
    generator: 'oapi-codegen',
    async run(folder, program) {
      const oapiCodegen = await installGoCommand(OAPI_CODEGEN);
      await writeFile(join(folder, 'go.mod'), `${MODULE}\nrequire ${RUNTIME} v1.8.0\n`);
      const generate = [
        '-generate',
        'types,client,skip-prune',
        '-package',
        'client',
        '-o',
        join(folder, 'client.go'),
        contract,
      ];
      await fetched('its Go modules', () => execute('go', ['mod', 'download', `${RUNTIME}@v1.8.0`], { cwd: folder }));
      expectNoWarning(await execute(oapiCodegen, generate));
      await execute('go', ['get', UUID], { cwd: folder, env });
      return compileAndCall(folder, 'oapi-codegen.go', program);
    },
  },
  {
    language: 'Go',
    generator: 'ogen',
    async run(folder, program) {
      const ogen = await installGoCommand(`${OGEN}/cmd/ogen@${OGEN_VERSION}`);
      await writeFile(join(folder, 'ogen.json'), JSON.stringify({ generator: OGEN_SETTINGS }));
      await writeFile(join(folder, 'go.mod'), MODULE);
      const generate = ['--config', 'ogen.json', '--package', 'client', '--target', '.', contract];
      expectNoWarning(await execute(ogen, generate, { cwd: folder }), OF_OGEN);
      await fetched('its Go modules', () => execute('go', ['get', `${OGEN}@${OGEN_VERSION}`], { cwd: folder, env }));
      return compileAndCall(folder, 'ogen.go', program);
    },
  },
  {
    language: 'Go',
    generator: 'redocly generate-client',
    async run(folder, program) {
      await execute('go', ['version']);
      await generateWithRedocly('go', folder);
      await writeFile(join(folder, 'go.mod'), MODULE);
      return compileAndCall(folder, 'redocly.go', program);
    },
  },
];

async function compileAndCall(folder: string, program: string, programEnv: ProgramEnv): Promise<string> {
  await mkdir(join(folder, 'call'));
  await cp(join(programs, 'tell.go'), join(folder, 'call/tell.go'));
  await cp(join(programs, program), join(folder, 'call/main.go'));
  await execute('go', ['vet', './...'], { cwd: folder, env });
  return execute('go', ['run', './call'], { cwd: folder, env: { ...env, ...programEnv } });
}

/**
 * Fetches and compiles a command of a Go module. Resolves to its path.
 * @throws {Skipped} if Go or the module is missing
 */
export async function installGoCommand(command: string): Promise<string> {
  await execute('go', ['version']);
  const folder = join(workshop, 'go');
  await fetched('its Go module', () => execute('go', ['install', command], { env: { GOBIN: folder } }));
  return join(folder, basename(command.replace(/@.*$/, '')));
}
