// Plays public SCORM packages in a Chromium, on a service with a content host, and compares the results with corpus.ts.
// Packages come from git mirrors in the folder SCORM_PACKAGES; each missing one is skipped and named.
//   SCORM_PACKAGES=<folder> make scorm-check ARGS="Rise golf"
import keys from '../../seeds/demo-keys.json' with { type: 'json' };
import { launch } from '../browser/browser.ts';
import { startDatabase, startService } from '../mcp-conformance/services.ts';
import { CORPUS, type CorpusPackage } from './corpus.ts';
import { Lms } from './lms.ts';
import { readPackage } from './mirror.ts';
import { checkPackage, type Finding } from './check-package.ts';
import { printMatrix } from './matrix.ts';

const folder = process.env.SCORM_PACKAGES;
if (!folder) {
  console.error('Set SCORM_PACKAGES to a folder of git mirrors, named owner+name.');
  process.exit(64);
}
/** Packages mostly wait for their own animations. */
const PACKAGES_AT_ONCE = 3;

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const chosen = CORPUS.filter(({ tool, repository, path }) => {
  const name = `${tool} ${repository} ${path}`.toLowerCase();
  return words.length === 0 || words.some((word) => name.includes(word));
});

const database = await startDatabase();
const service = await startService({
  databaseUrl: database.serviceUrl,
  settings: (url) => ({
    CONTENT_URL: `http://*.localhost:${new URL(url).port}`,
    PACKAGES_MAX_MIB_PER_COMPANY: '10000',
    RATE_LIMIT_PER_MINUTE: '0',
  }),
});
const browser = await launch();
const findings: Finding[] = [];
try {
  const lms = new Lms({
    url: service.url,
    key: keys.tenant,
    database: database.server.databaseUrl('admin', 'conformance'),
  });
  const queue = [...chosen];
  await Promise.all(
    Array.from({ length: PACKAGES_AT_ONCE }, async () => {
      for (let entry = queue.shift(); entry; entry = queue.shift())
        await check(lms, entry).catch((error: unknown) => console.error(error));
    }),
  );
} finally {
  await browser.close();
  await service.close();
  await database.server.stop();
}
printMatrix(findings);
if (findings.some(({ faults }) => faults.length > 0)) process.exitCode = 1;

async function check(lms: Lms, entry: CorpusPackage): Promise<void> {
  const archive = await readPackage(folder!, entry);
  const name = `${entry.tool}: ${entry.repository}${entry.path && ` ${entry.path}`}`;
  if (typeof archive === 'string') {
    console.log(`skip  ${name}: ${archive}`);
    return;
  }
  const lacks = archive.missing.length > 0 ? `; its mirror lacks ${archive.missing.join(', ')}` : '';
  const finding = await checkPackage({ browser, lms, entry, bytes: archive.bytes });
  findings.push(finding);
  const { faults, summary } = finding;
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${summary}${lacks}`);
  for (const fault of faults) console.log(`      ${fault}`);
}
