import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const copied = readFileSync('Dockerfile', 'utf8')
  .split('\n')
  .flatMap((line) => /^COPY (.+) \S+$/.exec(line)?.[1]!.split(' ') ?? []);

test('.dockerignore allows exactly the paths that the Dockerfile copies', () => {
  const allowed = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(allowed).toEqual(['**', ...copied.map((path) => `!${path}`)]);
});

describe('the files of the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(() => {
    for (const path of copied) cpSync(path, join(folder, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  });

  test.each([
    ['compares contracts', 'src/docs/changes/comparison-thread.ts', 'html'],
    ['writes the feed of releases', 'src/docs/changes/feed-thread.ts', '<feed'],
    ['writes YAML', 'src/rest/yaml-thread.ts', 'openapi: '],
  ])('suffice for the thread that %s', async (_title, program, expected) => {
    const document = pathToFileURL(join(folder, 'generated/openapi.json')).href;
    const named = { version: '1.0.0', document };
    const comparison = { contract: 'rest', from: named, to: named, publicUrl: 'https://a.example' };
    const thread = new Worker(join(folder, program), { workerData: program.includes('yaml') ? document : comparison });
    const [message] = await once(thread, 'message');
    expect(JSON.stringify(message)).toContain(expected);
  });

  test('resolve every import of the service that is not a package', () => {
    const stray = sourceFiles().flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)]
        .map(([, path]) => join(dirname(file), path!))
        .filter((path) => !existsSync(path)),
    );
    expect(stray).toEqual([]);
  });

  function sourceFiles(): string[] {
    const output = execFileSync('find', ['src', 'migrations', 'contract-gate', '-name', '*.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return output
      .trim()
      .split('\n')
      .map((path) => join(folder, path));
  }
});
