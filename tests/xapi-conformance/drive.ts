// Runs tests of ADL's suite, in whose folder it is started, and writes the outcome of each.
//   node drive.ts <file to write> <test file…>
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';

export interface Seen {
  title: string;
  passed: boolean;
  /** Whether the test read something, rather than only sending statements. */
  reads: boolean;
  message: string;
}

interface Runnable {
  fullTitle: () => string;
}

const [file, ...testFiles] = process.argv.slice(2);
const requireOfSuite = createRequire(`${process.cwd()}/package.json`);

let reads = false;
const send = http.request;
http.request = ((...given: Parameters<typeof send>) => {
  const sent = send(...given);
  if (['GET', 'HEAD'].includes(sent.method) && !sent.path.endsWith('/about')) reads = true;
  return sent;
}) as typeof send;

// Replaces helpers that read statements, to wait for a distributed LRS and to determine its clock.
const helper = requireOfSuite('./test/helper.js');
helper.setTimeMargin = (done: () => void) => done();
helper.getTimeMargin = () => 0;
helper.genDelay = () => {
  reads = true;
  throw new Error('reads statements');
};

const seen: Seen[] = [];
const note = (runnable: Runnable, passed: boolean, message = '') =>
  seen.push({ title: runnable.fullTitle(), passed, reads, message });

/** A reporter with mocha's interface. */
function Reporter(runner: NodeJS.EventEmitter): void {
  for (const begin of ['hook', 'test']) runner.on(begin, () => (reads = false));
  runner.on('pass', (test: Runnable) => note(test, true));
  runner.on('fail', (test: Runnable, error: Error) => note(test, false, error.message));
}

const Mocha = requireOfSuite('mocha');
const mocha = new Mocha({ ui: 'bdd', timeout: 15_000, reporter: Reporter });
for (const testFile of testFiles) mocha.addFile(testFile);
mocha.run(() => {
  writeFileSync(file!, JSON.stringify(seen));
  process.exit();
});
