import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { libraryContract } from './library-contract.ts';

const CLI = join(import.meta.dirname, '../../../contract-gate/src/cli.ts');
const SURFACES = [
  { name: 'rest', file: 'generated/openapi.json', changelogName: 'Contract' },
  { name: 'scim', file: 'generated/scim.json', changelogName: 'SCIM contract' },
  { name: 'tools', file: 'generated/tools.json', kind: 'tools', versionOf: 'rest' },
  { name: 'sdk', file: 'generated/names.json', kind: 'names', versionOf: 'rest' },
];
const AUTHOR = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** A project with its own git history in a temporary folder, in which the gate runs as for its users. */
export class Project {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @param names the surfaces to configure; all four by default */
  static async create(files: Record<string, unknown>, names = SURFACES.map(({ name }) => name)): Promise<Project> {
    const project = new Project(await mkdtemp(join(tmpdir(), 'contract-gate-')));
    await project.git('init', '--quiet', '--initial-branch=main');
    const surfaces = SURFACES.filter(({ name }) => names.includes(name)).map((one) => `    ${JSON.stringify(one)},\n`);
    const config = `export default {\n  surfaces: [\n${surfaces.join('')}  ],\n};\n`;
    await project.write({ 'contract-gate.config.mjs': config, 'api/accepted-breaks.yaml': '[]\n', ...files });
    return project;
  }

  /** Creates a project whose only surface is the contract of a book library. `base.json` contains the same contract. */
  static async ofLibrary(): Promise<Project> {
    const files = { 'generated/openapi.json': libraryContract(), 'base.json': libraryContract() };
    const project = await Project.create({ ...files, 'CHANGELOG.md': '- Contract 1.4.0: books.\n' }, ['rest']);
    await project.commit();
    return project;
  }

  /** Writes files: strings unchanged, other values as JSON. */
  async write(files: Record<string, unknown>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  async git(...called: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('git', [...AUTHOR, ...called], { cwd: this.folder });
    return stdout.trim();
  }

  /** Commits all changes and returns the hash of the commit. */
  async commit(message = 'A step'): Promise<string> {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** Dates the changelog and writes the folder of a release. */
  async prepareRelease(version: string, ...options: string[]): Promise<void> {
    const changelog = await this.read('CHANGELOG.md');
    await this.write({ 'CHANGELOG.md': changelog.replace('(unreleased)', `(${today()})`) });
    const { code, err } = await this.gate('release', version, ...options);
    if (code !== 0) throw new Error(err);
  }

  async release(version: string, ...options: string[]): Promise<string> {
    await this.prepareRelease(version, ...options);
    return this.commit(`release: ${version}`);
  }

  /** Copies the project and its history to another folder. */
  async copy(): Promise<Project> {
    const copy = new Project(await mkdtemp(join(tmpdir(), 'contract-gate-copy-')));
    await cp(this.folder, copy.folder, { recursive: true });
    return copy;
  }

  /** Clones the project with options of `git clone`. */
  async clone(...options: string[]): Promise<Project> {
    const clone = new Project(await mkdtemp(join(tmpdir(), 'contract-gate-clone-')));
    await this.git('clone', '--quiet', ...options, `file://${this.folder}`, clone.folder);
    return clone;
  }

  gate(...called: string[]): Promise<Ended> {
    return runGate(this.folder, ...called);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

/** Runs the gate and returns its exit code and output. */
export async function runGate(cwd: string, ...called: string[]): Promise<Ended> {
  const done = await promisify(execFile)(process.execPath, [CLI, ...called], { cwd }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
  return { code: done.code, out: done.stdout, err: done.stderr };
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Returns the four surfaces of a library. */
export function contractsOfLibrary() {
  const tools = {
    tools: { find_books: { inputSchema: { type: 'object', properties: { genre: { type: 'string' } } } } },
  };
  const scim = libraryContract();
  scim.info.version = '1.0.0';
  return {
    'generated/openapi.json': libraryContract(),
    'generated/scim.json': scim,
    'generated/tools.json': tools,
    'generated/names.json': { names: { createClient: 'value', Book: 'type' } },
  };
}
