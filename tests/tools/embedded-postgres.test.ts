/** @jest-environment node */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcesses, makeFolder, processesOf, removeAtTheEnd, removeFolders } from '../process/folders.ts';
import { type Program } from '../process/support.ts';
import { until } from '../support/until.ts';
import { findMark, launch, leaveMark, query, type Starter } from './embedded-starter.ts';

/** Folder that most tests share, in whatever state it is. Tests that need an empty folder create their own. */
const shared = join(makeFolder(), 'data');
afterEach(endProcesses);
afterAll(removeFolders);

async function start(folder = shared): Promise<Starter> {
  const program = launch(folder);
  await until(() => program.output().includes('}\n') || program.child.exitCode !== null, 25_000);
  const line = program.output().match(/^\{.*\}$/m)?.[0];
  if (!line) throw new Error(program.output());
  const server = JSON.parse(line) as Starter['server'];
  return { ...program, server, port: new URL(server.ownerUrl).port };
}

async function end({ child, exit, output }: Program, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  const { code } = await exit;
  if (signal === 'SIGTERM' && code !== 0) throw new Error(`It has ended with ${code}:\n${output()}`);
}

/** Resolves when the mark can be read, which fails while the server is unavailable. */
async function whenMarked(starter: Starter, mark: string): Promise<void> {
  await until(async () => (await findMark(starter).catch(() => undefined)) === mark);
}

function killPostmaster({ server }: Starter): void {
  process.kill(server.pid, 'SIGKILL');
}

/** Returns the pid in the file of the cluster. */
function postmasterOf(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8'), 10);
}

describe('a start', () => {
  test('creates a missing folder, with a database that the owner can fill', async () => {
    const starter = await start(join(makeFolder(), 'not/there/yet'));
    await leaveMark(starter, 'fresh');
    expect(await findMark(starter)).toBe('fresh');
    expect((await query(starter.server.adminUrl, 'select 1 as one'))[0]).toEqual({ one: 1 });
  });

  test('listens only on this machine, and requires the password', async () => {
    const { server } = await start();
    const settings = await query(
      server.adminUrl,
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`,
    );
    expect(settings).toEqual([{ addresses: '127.0.0.1', sockets: '' }]);
    for (const url of [server.adminUrl, server.ownerUrl, server.serviceUrl]) {
      const wrong = new URL(url);
      wrong.password = 'wrong';
      await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    }
  });

  test("gives the service's role no privileges, memberships or objects", async () => {
    const { server } = await start();
    const [role] = await query(
      server.adminUrl,
      `select rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication as privileged,
              (select count(*)::integer from pg_auth_members where member = pg_roles.oid) as memberships,
              (select count(*)::integer from pg_shdepend where refobjid = pg_roles.oid and deptype = 'o') as owned,
              (select count(*)::integer from pg_database where datdba = pg_roles.oid) as databases
         from pg_roles where rolname = '${new URL(server.serviceUrl).username}'`,
    );
    expect(role).toEqual({ privileged: false, memberships: 0, owned: 0, databases: 0 });
    await expect(query(server.serviceUrl, 'create table mine ()')).rejects.toThrow('permission denied');
  });

  test('discards an incomplete cluster and makes a complete one', async () => {
    const folder = join(makeFolder(), 'data');
    const killed = launch(folder);
    // Killed while initdb is at work.
    await until(() => existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('making-')));
    await end(killed, 'SIGKILL');
    expect(existsSync(join(folder, 'cluster'))).toBe(false);

    const starter = await start(folder);
    await leaveMark(starter, 'whole');
    await end(starter);
    // The orphaned initdb might have continued to write for a moment; it has ended before the next start.
    await until(() => processesOf(folder).length === 0);
    expect(await findMark(await start(folder))).toBe('whole');
    expect(readdirSync(folder).filter((name) => name.startsWith('making-'))).toEqual([]);
  });

  test('twice at the same time on a new folder runs one server, which the last process to leave stops', async () => {
    const folder = join(makeFolder(), 'data');
    const [first, second] = await Promise.all([start(folder), start(folder)]);
    expect(second.server).toEqual(first.server);
    await leaveMark(first, 'ours');
    await end(first);
    expect(await findMark(second)).toBe('ours');
    await end(second);
    expect(processesOf(folder)).toEqual([]);
  });

  test('on two folders runs two servers, each with its own port and data', async () => {
    const [one, other] = await Promise.all([start(), start(join(makeFolder(), 'data'))]);
    expect(one.port).not.toBe(other.port);
    await Promise.all([leaveMark(one, 'one'), leaveMark(other, 'other')]);
    await end(one);
    expect(await findMark(other)).toBe('other');
  });

  test('avoids a port that another program uses, and keeps the new one', async () => {
    const before = await start();
    await leaveMark(before, 'moved');
    await end(before);
    const squatter = createServer().listen(Number(before.port), '127.0.0.1');
    try {
      const starter = await start();
      expect(starter.port).not.toBe(before.port);
      expect(await findMark(starter)).toBe('moved');
      await end(starter);
      expect((await start()).port).toBe(starter.port);
    } finally {
      squatter.close();
    }
  });
});

describe('kill -9', () => {
  test('of the starter leaves the server running, and the next start adopts it with its data', async () => {
    const killed = await start();
    await leaveMark(killed, 'kept');
    await end(killed, 'SIGKILL');
    const next = await start();
    expect(next.server).toEqual(killed.server);
    expect(await findMark(next)).toBe('kept');
    killPostmaster(next);
    await whenMarked(next, 'kept');
    await end(next);
    expect(processesOf(shared)).toEqual([]);
  });

  test('of Postgres restarts it on the same port with its data, each time', async () => {
    const starter = await start();
    await leaveMark(starter, 'back');
    for (let time = 1, { pid } = starter.server; time <= 2; time += 1) {
      process.kill(pid, 'SIGKILL');
      await whenMarked(starter, 'back');
      expect(postmasterOf(shared)).not.toBe(pid);
      pid = postmasterOf(shared);
    }
    expect(starter.child.exitCode).toBeNull();
    await end(starter);
    expect(processesOf(shared)).toEqual([]);
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('of a server for tests leaves no shared memory behind (skipped except on Linux)', async () => {
    const { pid } = (await start()).server;
    expect(readFileSync(`/proc/${pid}/maps`, 'utf8')).not.toContain('/dev/shm/PostgreSQL');
  });

  test('of everything leaves a folder that the next start recovers, on the same port', async () => {
    const killed = await start();
    await leaveMark(killed, 'recovered');
    await end(killed, 'SIGKILL');
    killPostmaster(killed);
    const next = await start();
    expect(next.port).toBe(killed.port);
    expect(await findMark(next)).toBe('recovered');
  });

  test('is recovered even if another process has got the pid of Postgres', async () => {
    const killed = await start();
    await leaveMark(killed, 'mine');
    await end(killed, 'SIGKILL');
    killPostmaster(killed);
    await until(() => processesOf(shared).length === 0);
    const { uid, gid } = statSync(join(shared, 'cluster'));
    const other = spawn('sleep', ['60'], { uid, gid, cwd: '/', stdio: 'ignore' });
    try {
      const pidFile = join(shared, 'cluster/postmaster.pid');
      writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(other.pid)));
      utimesSync(pidFile, 0, 0);
      const next = await start();
      expect(await findMark(next)).toBe('mine');
      await end(next);
      expect(other.exitCode ?? other.signalCode).toBeNull();
    } finally {
      other.kill();
    }
  });

  test('before the pid was written leaves a folder that the next start takes over', async () => {
    const killed = await start();
    await leaveMark(killed, 'kept');
    await end(killed, 'SIGKILL');
    killPostmaster(killed);
    await until(() => processesOf(shared).length === 0);
    const pidFile = join(shared, 'cluster/postmaster.pid');
    writeFileSync(pidFile, '');
    utimesSync(pidFile, 0, 0);
    expect(await findMark(await start())).toBe('kept');
  });
});

describe('stop', () => {
  test('leaves no process, and the next start has the data on the same port', async () => {
    const first = await start();
    await leaveMark(first, 'stays');
    expect(processesOf(shared).length).toBeGreaterThan(1);
    await end(first);
    expect(processesOf(shared)).toEqual([]);
    const second = await start();
    expect(second.server).toEqual({ ...first.server, pid: second.server.pid });
    expect(await findMark(second)).toBe('stays');
  });

  test('ends a server whose folder was removed', async () => {
    const folder = join(makeFolder(), 'data');
    const starter = await start(folder);
    // The server keeps writing during the removal.
    rmSync(folder, { recursive: true, maxRetries: 5 });
    await end(starter);
    await until(() => processesOf(folder).length === 0);
  });

  test('succeeds if such a server dies while it is being stopped', async () => {
    const folder = join(makeFolder(), 'data');
    const starter = await start(folder);
    const servers = processesOf(folder).filter((pid) => pid !== starter.child.pid);
    servers.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    rmSync(folder, { recursive: true });
    const ended = end(starter);
    await sleep(500); // The query of the stop is on its way, and the stopped server cannot answer it.
    servers.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await ended;
  });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
asRoot("root's closed folder (skipped unless root) has its data elsewhere, for as long as it exists", async () => {
  const closed = makeFolder();
  chmodSync(closed, 0o700);
  const wanted = join(closed, 'data');
  const first = await start(wanted);
  const place = realpathSync(join(wanted, 'data'));
  removeAtTheEnd(place);
  expect(place).not.toContain(closed);
  await leaveMark(first, 'elsewhere');
  await end(first);
  const second = await start(wanted);
  expect(realpathSync(join(wanted, 'data'))).toBe(place);
  expect(await findMark(second)).toBe('elsewhere');
  await end(second);

  rmSync(wanted, { recursive: true });
  const third = await start(wanted);
  removeAtTheEnd(realpathSync(join(wanted, 'data')));
  await expect(findMark(third)).rejects.toThrow('does not exist');
  expect(existsSync(place)).toBe(false);
});
