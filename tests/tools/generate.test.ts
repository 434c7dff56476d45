import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyProject, removeFolders } from '../process/folders.ts';
import { expectRefusal, run } from '../process/support.ts';

const project = copyProject();
const GENERATE = join(project, 'scripts/generate/run.ts');
afterAll(removeFolders);

test('a file outside every room is rejected in one sentence that says what to do', async () => {
  mkdirSync(join(project, 'src/attic'));
  writeFileSync(join(project, 'src/attic/stray.ts'), '');
  const refused = await run([GENERATE], {});
  expectRefusal(
    refused,
    1,
    'Files without a room: src/attic/stray.ts. Move them into a room, or add one to scripts/check/rooms.ts.',
  );
});
