import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, contract, type ProgramEnv, programs } from './check.ts';
import { execute, expectNoWarning } from './commands.ts';
import { generateWithJar } from './openapi-generator.ts';
import { installPackages, python, pythonBin } from './python-packages.ts';
import { generateWithRedocly } from './typescript.ts';

/**
 * Warnings of openapi-python-client: it skips raw bodies of uploads, keeps the forms, and has no call that returns a
 * PDF or a ZIP file.
 */
const RAW_FILES = [
  /^Warning\(s\) encountered/,
  /^WARNING parsing (POST \/policies\/upload|GET \/policies\/\{policyId\}\/(versions\/\{versionId\}|draft)\/pdf) within policies/,
  /^WARNING parsing GET \/reports\/board within reports/,
  /^WARNING parsing PUT \/courses\/\{courseId\}\/package within courses/,
  /^WARNING parsing GET \/courses\/\{courseId\}\/export within courses/,
];

export const pythonChecks: Check[] = [
  {
    language: 'Python',
    generator: 'openapi-python-client',
    async run(folder, program) {
      await installPackages();
      const generate = ['generate', '--path', contract, '--meta', 'none', '--output-path', join(folder, 'client')];
      const env = { PATH: `${pythonBin}:${process.env.PATH}` };
      expectNoWarning(await execute(join(pythonBin, 'openapi-python-client'), generate, { env }), RAW_FILES);
      return compileAndCall(folder, 'openapi-python-client.py', program);
    },
  },
  {
    language: 'Python',
    generator: 'openapi-generator',
    async run(folder, program) {
      await generateWithJar('python', folder, ['--additional-properties=generateSourceCodeOnly=true']);
      return compileAndCall(folder, 'openapi-generator.py', program);
    },
  },
  {
    language: 'Python',
    generator: 'redocly generate-client',
    async run(folder, program) {
      await installPackages();
      await generateWithRedocly('python', folder);
      return compileAndCall(folder, 'redocly.py', program);
    },
  },
];

async function compileAndCall(folder: string, program: string, env: ProgramEnv): Promise<string> {
  await cp(join(programs, 'tell.py'), join(folder, 'tell.py'));
  await cp(join(programs, program), join(folder, 'call.py'));
  await execute(python, ['-W', 'error', '-m', 'compileall', '-q', '.'], { cwd: folder });
  return execute(python, ['call.py'], { cwd: folder, env });
}
