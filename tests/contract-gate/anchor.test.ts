import { libraryContract } from './support/library-contract.ts';
import { contractsOfLibrary, Project, today } from './support/project.ts';

const CHANGELOG = '# Changelog\n\n## 1.0.0 (unreleased)\n\n- Contract 1.4.0: books.\n- SCIM contract 1.0.0: users.\n';
const BASELINE = 'api/released/1.0.0/openapi.json';

let released: Project;
let project: Project;
const clones: Project[] = [];

beforeAll(async () => {
  released = await Project.create({ ...contractsOfLibrary(), 'CHANGELOG.md': CHANGELOG });
  await released.commit();
  await released.release('1.0.0');
});

beforeEach(async () => {
  project = await released.copy();
});

afterAll(() => released.remove());

afterEach(() => Promise.all([project, ...clones.splice(0)].map((one) => one.remove())));

test('a valid release passes, and later contracts are compared with it', async () => {
  expect(await project.gate()).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('rest: 1.4.0, release 1.0.0 ->'),
  });
  await publish(withoutGenre());
  await project.commit();
  expect(await project.gate()).toMatchObject({
    code: 1,
    out: expect.stringContaining('`genre` query parameter was removed.'),
  });
});

describe('a manipulated baseline', () => {
  const altered = () => ({ 'generated/openapi.json': withoutGenre(), [BASELINE]: withoutGenre() });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['edited with the contract', () => project.write(altered()), /changed release 1\.0\.0/],
    [
      'edited with its digest',
      async () => {
        const { createHash } = await import('node:crypto');
        const sha256 = createHash('sha256').update(JSON.stringify(withoutGenre())).digest('hex');
        const artefact = JSON.parse(await project.read('api/released/1.0.0/release.json'));
        artefact.surfaces[0].sha256 = sha256;
        await project.write({ ...altered(), 'api/released/1.0.0/release.json': artefact });
      },
      /changed release 1\.0\.0/,
    ],
    ['partly deleted', () => project.git('rm', '--quiet', 'api/released/1.0.0/scim.json'), /changed release 1\.0\.0/],
    ['completely deleted', () => project.git('rm', '--quiet', '-r', 'api/released'), /removed release 1\.0\.0/],
    [
      'replaced by a release without a changelog heading',
      async () => {
        await publish(withoutGenre());
        await project.gate('release', '1.0.1');
      },
      /added 1\.0\.1 but is not a release: CHANGELOG\.md has no heading “## 1\.0\.1 \(\d{4}/,
    ],
    [
      'replaced by a release with a lower version',
      async () => {
        await publish(withoutGenre());
        await changelog('0.9.0');
        await project.prepareRelease('0.9.0');
      },
      /0\.9\.0 but is not a release: its version must be higher than the released 1\.0\.0/,
    ],
    [
      'replaced by a release with another document',
      async () => {
        await changelog('1.1.0');
        await project.prepareRelease('1.1.0');
        await project.write({ 'api/released/1.1.0/openapi.json': withoutGenre() });
      },
      /openapi\.json differs from generated\/openapi\.json/,
    ],
    [
      'replaced by a release with an unaccepted breaking change',
      async () => {
        await publish(withoutGenre());
        await changelog('1.1.0');
        await project.prepareRelease('1.1.0');
      },
      /Release 1\.1\.0 is invalid: it breaks 1\.0\.0 without accepting the break: `genre`/,
    ],
    [
      'replaced by a release with fewer surfaces',
      async () => {
        await changelog('1.1.0');
        await project.git('rm', '--quiet', 'generated/scim.json');
        await project.prepareRelease('1.1.0');
      },
      /lacks `scim`/,
    ],
    [
      'replaced by a release dated in the future',
      async () => {
        await changelog('1.1.0');
        await project.write({
          'CHANGELOG.md': (await project.read('CHANGELOG.md')).replace('(unreleased)', '(2999-01-01)'),
        });
        await project.gate('release', '1.1.0', '--date', '2999-01-01');
      },
      /which is in the future/,
    ],
    [
      'removed and released again',
      async () => {
        await project.git('rm', '--quiet', '-r', 'api/released');
        await project.commit();
        await publish(withoutGenre());
        await project.write({ 'CHANGELOG.md': CHANGELOG });
        await project.prepareRelease('1.0.0');
      },
      /removed release 1\.0\.0/,
    ],
    [
      'hidden by pointing the settings at another file',
      async () => {
        await project.write({ 'generated/copy.json': libraryContract(), 'generated/openapi.json': withoutGenre() });
        const config = await project.read('contract-gate.config.mjs');
        await project.write({
          'contract-gate.config.mjs': config.replace('generated/openapi.json', 'generated/copy.json'),
        });
      },
      /`rest` was released from generated\/openapi\.json, which still exists/,
    ],
    [
      'hidden by removing a surface from the settings',
      async () => {
        const config = await project.read('contract-gate.config.mjs');
        await project.write({ 'contract-gate.config.mjs': config.replace(/.*"scim".*/, '') });
      },
      /published `scim`, which the settings no longer list/,
    ],
  ])('that is %s is rejected', async (_case, attempt, reason) => {
    await attempt();
    await project.commit();
    expect(await project.gate()).toMatchObject({ code: 4, out: '', err: expect.stringMatching(reason) });
  });

  test('that is not committed is rejected', async () => {
    await project.write(altered());
    expect(await project.gate()).toMatchObject({ code: 4, err: expect.stringContaining('git restore') });
  });

  test('in a merge commit is rejected', async () => {
    await project.git('switch', '--quiet', '--create', 'topic');
    await project.commit('on a branch');
    await project.git('switch', '--quiet', 'main');
    await project.commit('on main');
    await project.git('merge', '--quiet', '--no-commit', '--no-ff', 'topic');
    await project.write(altered());
    await project.commit('a merge');
    expect(await project.gate()).toMatchObject({ code: 4, err: expect.stringMatching(/changed release 1\.0\.0/) });
  });

  test('on a branch with another version of the same release is rejected', async () => {
    await project.git('switch', '--quiet', '--create', 'topic');
    await changelog('1.1.0');
    await project.release('1.1.0');
    await project.git('switch', '--quiet', 'main');
    await changelog('1.1.0');
    const added = libraryContract();
    added.paths['/books'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
    added.info.version = '1.5.0';
    await publish(added);
    await project.release('1.1.0');
    await project.git('merge', '--quiet', '--strategy=ours', 'topic');
    expect(await project.gate()).toMatchObject({
      code: 4,
      err: expect.stringContaining('released differently on two merged branches'),
    });
  });

  test('in a rewritten history contradicts the tag', async () => {
    await project.git('tag', 'v1.0.0');
    await project.git('switch', '--quiet', '--orphan', 'anew');
    await project.git('checkout', '--quiet', 'v1.0.0', '--', '.');
    await project.git('rm', '--quiet', '-r', '-f', 'api/released');
    await project.write({ 'CHANGELOG.md': CHANGELOG });
    await publish(withoutGenre());
    await project.release('1.0.0');
    expect(await project.gate()).toMatchObject({
      code: 4,
      err: expect.stringContaining('Tag v1.0.0 and the history of HEAD have different releases'),
    });
  });
});

test('a reverted change in a release passes with a note', async () => {
  await project.write({ [BASELINE]: withoutGenre() });
  await project.commit();
  await project.git('revert', '--no-edit', 'HEAD');
  expect(await project.gate()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/changed release 1\.0\.0\. A later commit has undone/),
  });
});

test('the latest release becomes the baseline', async () => {
  const added = libraryContract();
  added.paths['/books'].get.parameters.push({ name: 'sort', in: 'query', schema: { type: 'string' } });
  added.info.version = '1.5.0';
  await publish(added);
  await changelog('1.1.0', 'Contract 1.5.0');
  await project.release('1.1.0');
  expect(await project.gate()).toMatchObject({ code: 0, out: expect.stringContaining('release 1.1.0') });
  await publish(libraryContract());
  expect(await project.gate()).toMatchObject({
    code: 1,
    out: expect.stringContaining('`sort` query parameter was removed.'),
  });
});

test('a release from before the gate was introduced can be added from its commit', async () => {
  const old = await Project.create({ ...contractsOfLibrary(), 'CHANGELOG.md': CHANGELOG });
  clones.push(old);
  await old.commit();
  await old.write({ 'CHANGELOG.md': CHANGELOG.replace('(unreleased)', `(${today()})`) });
  const commit = await old.commit('a release without the gate');
  await old.write({ 'generated/openapi.json': withoutGenre() });
  await old.commit();
  expect(await old.gate('release', '1.0.0', '--commit', commit)).toMatchObject({ code: 0 });
  await old.commit();
  expect(await old.gate()).toMatchObject({
    code: 1,
    out: expect.stringContaining('`genre` query parameter was removed.'),
  });
});

async function publish(contract: unknown): Promise<void> {
  await project.write({ 'generated/openapi.json': contract });
}

async function changelog(release: string, line = 'Something else'): Promise<void> {
  const [title, ...rest] = (await project.read('CHANGELOG.md')).split('\n');
  await project.write({
    'CHANGELOG.md': [title, '', `## ${release} (unreleased)`, '', `- ${line}`, ...rest].join('\n'),
  });
}

function withoutGenre(): any {
  const contract = libraryContract();
  contract.paths['/books'].get.parameters.splice(0, 1);
  return contract;
}
