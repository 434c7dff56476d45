import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { readConfig } from '../../src/config/config.ts';

interface Service {
  environment?: Record<string, string | number>;
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
  depends_on?: unknown;
}

interface Compose {
  services: Record<string, Service>;
  configs: Record<string, { file: string }>;
  secrets: Record<string, { file: string }>;
}

/** Settings in the `.env` file that an operator writes. */
const SECRETS: Record<string, string> = {
  POSTGRES_PASSWORD: 'p',
  OWNER_PASSWORD: 'o',
  SERVICE_PASSWORD: 's',
  REPLICATION_PASSWORD: 'r',
  OAUTH_SECRET: 'x'.repeat(40),
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  PUBLIC_URL: 'https://awareness.example.org',
  SMTP_URL: 'smtp://mail.example.org:587',
  MAIL_FROM: 'awareness@example.org',
  SIMULATION_SENDER_DOMAINS: 'parcel-notice.example',
  SIMULATION_URL: 'https://{sender}',
  SIMULATION_SMTP_URL: 'smtp://mail.example.org:587',
};

const text = readFileSync('deploy/compose.yaml', 'utf8');
const balancer = readFileSync('deploy/haproxy.cfg', 'utf8');
const contract = readFileSync('generated/openapi.json', 'utf8');
const { services, configs, secrets } = load(interpolated(text)) as Compose;
const PROCESSES = ['api-a', 'api-b', 'worker', 'simulate'];
const SENDING = ['worker', 'simulate'];

/** Substitutes `${NAME:?message}` and `${NAME:-default}` as Compose does. */
function interpolated(yaml: string): string {
  return yaml.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, mark?: string, rest?: string) => {
    const value = SECRETS[name] ?? (mark === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`.env lacks ${name}`);
    return value;
  });
}

function environmentOf(name: string): Record<string, string> {
  const inImage = /^ENV (.*)$/m.exec(readFileSync('Dockerfile', 'utf8'))![1]!;
  const image = inImage.split(' ').map((pair) => pair.split('=') as [string, string]);
  const own = Object.entries(services[name]!.environment!).map(([key, value]) => [key, String(value ?? '')] as const);
  return Object.fromEntries([...image, ...own]);
}

test.each(PROCESSES)('%s accepts its settings', (name) => {
  const config = readConfig(environmentOf(name));
  expect(config.roles).toEqual(SENDING.includes(name) ? [name] : ['api', 'mcp']);
  expect(config.mail === undefined).toBe(!SENDING.includes(name));
  expect(config.simulations?.senders).toEqual([SECRETS.SIMULATION_SENDER_DOMAINS]);
});

test.each(PROCESSES)('%s has enough time to drain before Compose kills it', (name) => {
  const { drainDelayMs, drainTimeoutMs } = readConfig(environmentOf(name));
  const graceMs = 1000 * Number(/^(\d+)s$/.exec(services[name]!.stop_grace_period!)![1]);
  expect(graceMs).toBeGreaterThan(drainDelayMs + drainTimeoutMs + 1000);
});

test.each(['api-a', 'api-b'])(
  "%s drains longer than the balancer's checks take, and keeps connections longer than the balancer",
  (name) => {
    const { drainDelayMs, keepAliveMs } = readConfig(environmentOf(name));
    const [, inter, fall, purge] = /check inter (\d+)ms fall (\d) rise 1 pool-purge-delay (\d+)s/.exec(balancer)!;
    const [, idle] = /timeout http-keep-alive (\d+)s/.exec(balancer)!;
    expect(drainDelayMs).toBeGreaterThan(Number(inter) * (Number(fall) + 1));
    expect(keepAliveMs).toBeGreaterThan(1000 * Math.max(Number(purge), Number(idle)));
  },
);

test('every readiness check uses a path of the contract', () => {
  expect(Object.keys((JSON.parse(contract) as { paths: object }).paths)).toContain('/ready');
  expect(balancer).toContain('uri /v1/ready\n');
  for (const name of PROCESSES) expect(services[name]!.healthcheck!.test.join(' ')).toContain('/v1/ready');
});

test('every referenced config file exists, and every secret file is ignored by git', () => {
  for (const { file } of Object.values(configs)) expect([file, existsSync(join('deploy', file))]).toEqual([file, true]);
  const secretFiles = ['.env', ...Object.values(secrets).map(({ file }) => file)].map((file) => join('deploy', file));
  const ignored = execFileSync('git', ['check-ignore', ...secretFiles], { encoding: 'utf8' });
  expect(ignored.trim().split('\n')).toEqual(secretFiles);
  expect(text).not.toMatch(/(PASSWORD|SECRET|KEY|SMTP_URL): (?!\$\{)/);
  expect(text).not.toMatch(/:\/\/\w+:(?!\$\{)[^@\s]*@/);
});

test('no process depends on another service', () => {
  for (const [name, service] of Object.entries(services)) expect([name, service.depends_on]).toEqual([name, undefined]);
});

const canCheck = ['haproxy', 'openssl'].every((name) => !spawnSync(name, ['-v']).error);
if (!canCheck)
  process.stderr.write('SKIPPED: no haproxy and openssl, so the configuration of the balancer is not checked\n');

(canCheck ? test : test.skip)('HAProxy accepts its configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  try {
    const openssl = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=test', '-days', '1'];
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name));
    execFileSync('openssl', [...openssl, '-keyout', key!, '-out', certificate!], { stdio: 'pipe' });
    const TLS_PEM = join(folder, 'tls.pem');
    writeFileSync(TLS_PEM, [certificate!, key!].map((path) => readFileSync(path, 'utf8')).join(''));
    const files = ['haproxy.cfg', 'haproxy-tls.cfg'].flatMap((name) => ['-f', resolve('deploy', name)]);
    const { status, stderr } = spawnSync('haproxy', ['-c', ...files], {
      env: { PATH: process.env.PATH, TLS_PEM },
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('[ALERT]');
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
