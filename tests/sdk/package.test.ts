/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keys } from '../support/world.ts';
import { sdkFolder } from './support.ts';

const run = promisify(execFile);
const root = join(sdkFolder, '..');
const tsc = join(root, 'node_modules/.bin/tsc');

const mistakes = [
  'client.listLearner()',
  'client.listLearners({ companyID: "" })',
  'client.getCompany({ companyId: "" })',
  'client.getLearner()',
  'client.getLearner({})',
  'client.createLearner({ body: { firstName: "Ada", lastName: "Lovelace" } })',
  'client.listCourses({ type: "none" })',
  'client.response("getLearner", {})',
  'client.getCompany().then((company) => company.nonsense)',
];

let project: string;
let packed: string[];
let blocks: string[];
/** Output of the compiler for the modules of the project. */
let said: string;

/** Makes a separate project, which installs the package as published and compiles against it. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sdk-project-'));
  await installPackage();
  const readme = await readFile(join(sdkFolder, 'README.md'), 'utf8');
  blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);
  const lines = mistakes.map((line) => `// @ts-expect-error\nvoid ${line};`);
  const modules = {
    ...Object.fromEntries(blocks.map((code, index) => [`readme-${index}.ts`, code])),
    'mistakes.ts': [
      `import type { Client } from 'security-awareness-sdk';`,
      'declare const client: Client;',
      ...lines,
    ].join('\n'),
  };
  for (const [name, code] of Object.entries(modules)) await writeFile(join(project, name), code);
  const options = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--module', 'nodenext'];
  const compiled = run(tsc, [...options, ...Object.keys(modules)], { cwd: project });
  said = (await compiled.catch((failure: { stdout: string }) => failure)).stdout;
});

afterAll(() => rm(project, { recursive: true }));

async function installPackage(): Promise<void> {
  const source = join(project, 'source');
  await mkdir(source);
  for (const name of ['package.json', 'README.md', 'LICENSE']) await cp(join(sdkFolder, name), join(source, name));
  await run(tsc, ['-p', join(sdkFolder, 'tsconfig.build.json'), '--outDir', join(source, 'dist')]);
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const [described] = Object.values<any>(JSON.parse((await run('npm', pack, { cwd: source })).stdout));
  packed = described.files.map(({ path }: { path: string }) => path);
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', [...install, join(project, described.filename)], { cwd: project });
  await mkdir(join(project, 'node_modules/@types'));
  await symlink(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
}

test('the package contains the build, its description and its licence, and has no dependencies', async () => {
  expect(packed.filter((path) => !/^dist\/.+\.(js|d\.ts)$/.test(path)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  const text = async (path: string) => readFile(path, 'utf8');
  expect(await text(join(sdkFolder, 'LICENSE'))).toBe(await text(join(root, 'LICENSE')));
  const manifest = JSON.parse(await text(join(sdkFolder, 'package.json')));
  for (const path of Object.values<string>(manifest.exports['.'])) expect(packed).toContain(path.slice(2));
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
});

test('every line of code in the README compiles against the package', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(6);
  expect(said.split('\n').filter((line) => !line.startsWith('mistakes.ts'))).toEqual(['']);
});

test('calls that contradict the contract do not compile', () => {
  expect(said.split('\n').filter((line) => line.startsWith('mistakes.ts'))).toEqual([]);
});

test('the quick start of the README works against the running service', async () => {
  const env = { AWARENESS_URL: testService.url, AWARENESS_API_KEY: keys.tenant };
  const start = async () => run(process.execPath, [join(project, 'readme-0.js')], { env });
  const [first, created, ...emails] = (await start()).stdout.trim().split('\n');
  expect(first).toMatch(/^The tenant company has \d+ learners$/);
  const rows = await testService.query(`select id from learners where email = 'grace.hopper@acme.example'`);
  expect(created).toBe(`created ${rows[0]!.id as string}`);
  expect(emails).toContain('grace.hopper@acme.example');
  expect(emails).toContain('learner1@tenant.test');
  expect(emails).not.toContain('learner5@tenant.test');
  const again = (await start()).stdout.split('\n')[1];
  expect(again).toMatch(/^not created: /);
});
