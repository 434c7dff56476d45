import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, type ProgramEnv, programs } from './check.ts';
import { execute, fetched } from './commands.ts';
import { generateWithJar, SHORT_RUN } from './openapi-generator.ts';
import { copyPositional } from './positional-arguments.ts';
import { listFiles } from './source-files.ts';
import { generateWithRedocly } from './typescript.ts';

/** Option that makes a client accept responses with an unknown field. */
const NEW_FIELDS = '--additional-properties=disallowAdditionalPropertiesIfNotPresent=false';
const KOTLIN = 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler';

export const javaChecks: Check[] = [
  {
    language: 'Kotlin',
    generator: 'openapi-generator',
    async run(folder, env) {
      await generateWithJar('kotlin', folder);
      await cp(join(programs, 'kotlin.xml'), join(folder, 'pom.xml'));
      await cp(join(programs, 'openapi-generator.kt'), join(folder, 'call.kt'));
      const path = await classPath(folder);
      const compile = ['-no-stdlib', '-no-reflect', '-nowarn', '-d', 'classes', '-cp', path, 'src/main', 'call.kt'];
      await execute('java', [...SHORT_RUN, '-cp', path, KOTLIN, ...compile], { cwd: folder });
      return execute('java', ['-cp', `classes:${path}`, 'CallKt'], { cwd: folder, env });
    },
  },
  {
    language: 'Java',
    generator: 'openapi-generator okhttp-gson',
    run: (folder, env) => generateAndCall(folder, ['--library', 'okhttp-gson', NEW_FIELDS], 'OkHttp.java', env),
  },
  {
    language: 'Java',
    generator: 'openapi-generator native',
    run: (folder, env) => generateAndCall(folder, ['--library', 'native'], 'Native.java', env),
  },
  {
    language: 'Java',
    generator: 'openapi-generator restclient',
    run: (folder, env) => generateAndCall(folder, ['--library', 'restclient'], 'RestClient.java', env),
  },
  {
    language: 'Java',
    generator: 'openapi-generator feign',
    run: (folder, env) => generateAndCall(folder, ['--library', 'feign'], 'Feign.java', env),
  },
  {
    language: 'Java',
    generator: 'redocly generate-client',
    async run(folder, env) {
      await execute('javac', ['-version']);
      await generateWithRedocly('java', folder);
      await copyPositional('Redocly.java', join(folder, 'Call.java'), 'null');
      await execute('javac', ['-Xlint:all', '-Werror', '-d', 'classes', 'Client.java', 'Call.java'], { cwd: folder });
      return execute('java', ['-cp', 'classes', 'Call'], { cwd: folder, env });
    },
  },
];

async function generateAndCall(folder: string, settings: string[], program: string, env: ProgramEnv): Promise<string> {
  await execute('javac', ['-version']);
  await generateWithJar('java', folder, settings);
  const path = await classPath(folder);
  await copyPositional('OpenApiGenerator.java', join(folder, 'src/main/java/OpenApiGenerator.java'), 'null');
  await cp(join(programs, program), join(folder, 'src/main/java/Call.java'));
  const sources = await listFiles(folder, '.java');
  await writeFile(join(folder, 'sources'), sources.join('\n'));
  await mkdir(join(folder, 'classes'));
  const options = [...SHORT_RUN.map((option) => `-J${option}`), '-nowarn', '-proc:none'];
  await execute('javac', [...options, '-d', 'classes', '-cp', path, '@sources'], { cwd: folder });
  return execute('java', ['-cp', `classes:${path}`, 'Call'], { cwd: folder, env });
}

/** Fetches missing packages of the folder's pom.xml, and returns their class path. */
async function classPath(folder: string): Promise<string> {
  await execute('mvn', ['-version']);
  const build = ['--quiet', '--batch-mode', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'];
  await fetched('its Maven packages', () => execute('mvn', build, { cwd: folder }));
  return readFile(join(folder, 'classpath'), 'utf8');
}
