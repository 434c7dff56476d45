import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from './attempts.ts';
import { root, workshop } from './check.ts';
import { execute, Failed, fetched } from './commands.ts';
import { type Delivery, recordDeliveries, type Recording } from './deliveries.ts';
import type { DemoService } from './demo-service.ts';
import { installPackages, python } from './python-packages.ts';
import { withReceiver } from './receiver-process.ts';

const GO_LIBRARY = 'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1';
const JAVA_LIBRARY = 'com.standardwebhooks:standardwebhooks:1.1.0';
const JAVA_POM = (([group, name, version]) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>check</groupId><artifactId>receiver</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>`)(JAVA_LIBRARY.split(':'));

/**
 * The number of events that a receiver must print. The recording posts one event twice, which must be printed only
 * once.
 */
const EXPECTED_EVENTS = 2;

/** A receiver from the guide on webhooks. It uses a Standard Webhooks library. */
interface Receiver {
  language: string;
  /** Language of the receiver's code block in the guide. */
  block: string;
  file: string;
  /** Fetches libraries and compiles the receiver. Returns the start command. @throws {Skipped} if a tool is missing */
  prepare: (folder: string) => Promise<[command: string, ...args: string[]]>;
}

const receivers: Receiver[] = [
  {
    language: 'TypeScript',
    block: 'ts',
    file: 'receiver.ts',
    async prepare(folder) {
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      return [process.execPath, 'receiver.ts'];
    },
  },
  {
    language: 'Python',
    block: 'python',
    file: 'receiver.py',
    async prepare() {
      await installPackages();
      return [python, 'receiver.py'];
    },
  },
  {
    language: 'Go',
    block: 'go',
    file: 'receiver.go',
    async prepare(folder) {
      await execute('go', ['version']);
      await writeFile(join(folder, 'go.mod'), 'module receiver\n\ngo 1.24\n');
      await fetched('its Go module', () => execute('go', ['get', GO_LIBRARY], { cwd: folder }));
      await execute('go', ['vet', '.'], { cwd: folder });
      await execute('go', ['build', '-o', 'receiver', '.'], { cwd: folder });
      return [join(folder, 'receiver')];
    },
  },
  {
    language: 'Java',
    block: 'java',
    file: 'Receiver.java',
    async prepare(folder) {
      await execute('javac', ['-version']);
      await execute('mvn', ['-version']);
      await writeFile(join(folder, 'pom.xml'), JAVA_POM);
      const build = ['--quiet', '--batch-mode', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'];
      await fetched('its Maven package', () => execute('mvn', build, { cwd: folder }));
      const path = await readFile(join(folder, 'classpath'), 'utf8');
      await execute('javac', ['-Xlint:all', '-Werror', '-d', '.', '-cp', path, 'Receiver.java'], { cwd: folder });
      return ['java', '-cp', `.:${path}`, 'Receiver'];
    },
  },
];

/** Checks that the guide's receivers accept the demo's deliveries and reject altered ones. Returns the problems. */
export async function checkReceivers(service: DemoService, wanted: string): Promise<string[]> {
  const chosen = receivers.filter(({ language }) => `webhooks ${language}`.toLowerCase().includes(wanted));
  if (chosen.length === 0) return [];
  const guide = await readFile(join(root, 'docs/guides/webhooks.md'), 'utf8');
  const recording = await recordDeliveries(service);
  const problems: string[] = [];
  for (const receiver of chosen) {
    const work = () => receive(receiver, guide, recording);
    problems.push(...(await attempt(receiver.language, 'receiver of webhooks', work)));
  }
  return problems;
}

/** @throws {Failed} if the receiver accepts an altered delivery or rejects a genuine one */
async function receive({ language, block, file, prepare }: Receiver, guide: string, recording: Recording) {
  const folder = join(workshop, 'receivers', language.toLowerCase());
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [, program] = new RegExp(`^\`\`\`${block}\n(.*?)^\`\`\`$`, 'ms').exec(guide)!;
  await writeFile(join(folder, file), program!);
  const command = await prepare(folder);
  const { secret, deliveries } = recording;
  const { answers, said } = await withReceiver({ command, folder, secret }, async (post) => {
    const found: string[] = [];
    for (const delivery of deliveries) found.push(await judged(delivery, post));
    return found;
  });
  const wrong = answers.filter((answer) => answer !== '');
  const printed = said.split('\n').filter((line) => line.includes('groupId')).length;
  if (printed !== EXPECTED_EVENTS) wrong.push(`reports ${printed} events, not ${EXPECTED_EVENTS}`);
  if (wrong.length > 0) throw new Failed(wrong.join('; '));
  return `handles all ${deliveries.length} deliveries correctly`;
}

async function judged(delivery: Delivery, post: (delivery: Delivery) => Promise<number>): Promise<string> {
  const status = await post(delivery);
  const isTaken = status >= 200 && status < 300;
  return isTaken === delivery.isGood ? '' : `returns ${status} for ${delivery.name}`;
}
