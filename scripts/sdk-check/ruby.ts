import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, programs, workshop } from './check.ts';
import { execute, fetched } from './commands.ts';
import { generateWithJar } from './openapi-generator.ts';
import { checkSyntax } from './source-files.ts';

const gems = join(workshop, 'ruby');
const TYPHOEUS = 'typhoeus:~>1.4';

export const rubyChecks: Check[] = [
  {
    language: 'Ruby',
    generator: 'openapi-generator',
    async run(folder, env) {
      await execute('ruby', ['--version']);
      await generateWithJar('ruby', folder);
      await cp(join(programs, 'openapi-generator.rb'), join(folder, 'call.rb'));
      await checkSyntax(folder, '.rb', 'ruby', '-wc');
      const found = await findGems();
      return execute('ruby', ['-Ilib', 'call.rb'], { cwd: folder, env: { ...found, ...env } });
    },
  },
];

/** Returns the settings with which Ruby finds Typhoeus. Installs it unless the system has it. */
async function findGems(): Promise<Record<string, string>> {
  const isInstalled = await execute('ruby', ['-rtyphoeus', '-e', '']).then(
    () => true,
    () => false,
  );
  if (isInstalled) return {};
  const install = ['install', '--no-document', '--conservative', '--install-dir', gems, TYPHOEUS];
  await fetched('its gems', () => execute('gem', install));
  return { GEM_PATH: gems };
}
