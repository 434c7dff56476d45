import { libraryContract } from './support/library-contract.ts';
import { contractsOfLibrary, Project } from './support/project.ts';

const CHANGELOG = '# Changelog\n\n## 1.0.0 (unreleased)\n';
const BASELINE = 'api/released/1.0.0/openapi.json';

let project: Project;
const clones: Project[] = [];

beforeEach(async () => {
  project = await Project.create({ ...contractsOfLibrary(), 'CHANGELOG.md': CHANGELOG });
  await project.commit();
  await project.release('1.0.0');
});

afterEach(() => Promise.all([project, ...clones.splice(0)].map((one) => one.remove())));

test('a detached clone without tags is rejected like its origin', async () => {
  await project.write({ 'generated/openapi.json': withoutGenre(), [BASELINE]: withoutGenre() });
  await project.commit();
  await project.commit('another step behind it');
  const clone = await cloned('--no-tags');
  await clone.git('checkout', '--quiet', '--detach');
  for (const one of [project, clone])
    expect(await one.gate()).toMatchObject({ code: 4, out: '', err: expect.stringMatching(/changed release 1\.0\.0/) });
});

describe('a shallow clone', () => {
  test('gets a hint to fetch the whole history, and passes after the fetch', async () => {
    await project.commit();
    const shallow = await cloned('--depth', '1');
    expect(await shallow.gate()).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('git fetch --unshallow'),
    });
    await shallow.git('fetch', '--quiet', '--unshallow');
    expect((await shallow.gate()).code).toBe(0);
  });

  test('passes if it contains the history of all releases', async () => {
    expect((await (await cloned('--depth', '2')).gate()).code).toBe(0);
  });

  test("of a fork's pull request is rejected", async () => {
    await project.git('switch', '--quiet', '--create', 'fork');
    await project.write({ 'generated/openapi.json': withoutGenre(), [BASELINE]: withoutGenre() });
    await project.commit();
    await project.git('switch', '--quiet', 'main');
    await project.git('merge', '--quiet', '--no-ff', '--message', 'pull/1/merge', 'fork');
    expect((await (await cloned('--depth', '1')).gate()).code).toBe(4);
    expect((await (await cloned()).gate()).code).toBe(4);
  });
});

describe('a project without a baseline', () => {
  test('is rejected with the reason', async () => {
    const young = await Project.create({ ...contractsOfLibrary(), 'CHANGELOG.md': CHANGELOG });
    clones.push(young);
    const refusal = { code: 4, out: '' };
    expect(await young.gate()).toMatchObject({ ...refusal, err: expect.stringContaining('has no git history') });
    await young.commit();
    expect(await young.gate()).toMatchObject({ ...refusal, err: expect.stringContaining('contains no release yet') });
    expect(await young.gate('--format', 'json')).toMatchObject(refusal);
  });
});

function withoutGenre(): any {
  const contract = libraryContract();
  contract.paths['/books'].get.parameters.splice(0, 1);
  return contract;
}

async function cloned(...options: string[]): Promise<Project> {
  const clone = await project.clone(...options);
  clones.push(clone);
  return clone;
}
