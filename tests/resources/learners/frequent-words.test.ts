import { get } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { forgetNewLearners } from '../tenant-state.ts';

const PEOPLE = 2500;

beforeAll(async () => {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1, new_id(), 'frequent' || n || '@tenant.test', case when n % 5 = 0 then 'Annika' else 'Anna' end,
            case when n % 100 = 0 then 'Anna Rare' else 'Annals' end
       from generate_series(1, $2::integer) as n`,
    [companies.tenant, PEOPLE],
  );
});
afterAll(forgetNewLearners);

/** Reads all pages of a search, and returns the names in order. */
async function readPages(q: string): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await get(`/learners?q=${q}&limit=1000${cursor && `&cursor=${cursor}`}`);
    names.push(...body.data.map(({ id, name }: { id: string; name: string }) => `${id} ${name}`));
    cursor = (body as { page?: { nextCursor: string | null } }).page?.nextCursor ?? null;
  }
  return names;
}

test.each([
  ['ann', PEOPLE],
  ['anna', PEOPLE],
  ['annika', PEOPLE / 5],
  ['ann rare', PEOPLE / 100],
  ['ann annals', PEOPLE - PEOPLE / 100],
  ['annals frequent', PEOPLE - PEOPLE / 100],
  ['annals frequent nobody', 0],
  ['tenant ann', PEOPLE],
  ['ann nobody', 0],
])('pages of the search %s list each of the %i people once, in order', async (q, count) => {
  const names = await readPages(q);
  expect(names).toHaveLength(count);
  expect(names).toEqual([...new Set(names)].toSorted());
  expect((await get(`/learners?q=${q}`)).body.data).toHaveLength(count);
});
