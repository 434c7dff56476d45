import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { firstCompanySettings } from '../../src/commands/migrate/first-company-settings.ts';
import { readConfig } from '../../src/config/config.ts';

interface Service {
  image: string;
  environment: Record<string, string | number>;
  ports: string[];
  healthcheck?: unknown;
  depends_on: Record<string, { condition: string }>;
}

const text = readFileSync('compose.yaml', 'utf8').replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const { services } = load(text) as { services: Record<string, Service> };

function environmentOf(name: string): Record<string, string> {
  const image = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '3000' };
  const own = Object.entries(services[name]!.environment).map(([key, value]) => [key, String(value)]);
  return { ...image, ...(Object.fromEntries(own) as Record<string, string>) };
}

test('the service accepts its settings and sends its emails to the mail catcher', () => {
  const { mail, publicUrl } = readConfig(environmentOf('service'));
  const { smtpUrl } = mail!.delivery as { smtpUrl: string };
  expect(Object.keys(services)).toContain(new URL(smtpUrl).hostname);
  expect(services.service!.ports.join()).toContain(`:${new URL(publicUrl).port}:`);
});

test('migrate creates a first company with a setup link to the service', () => {
  const first = firstCompanySettings(environmentOf('migrate'));
  expect(first).toMatchObject({ name: 'Example Company', admin: { email: 'admin@example.org', lastName: 'Example' } });
  expect(first!.publicUrl).toBe(readConfig(environmentOf('service')).publicUrl);
});

test('images have versions, and ports are bound to the loopback address', () => {
  for (const { image } of Object.values(services)) expect(image).toMatch(/^(awareness-service-trial|\S+:v?\d\S*)$/);
  const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('long-running services have a health check, and the service waits for all others', () => {
  for (const name of ['postgres', 'mail', 'service'])
    expect([name, services[name]!.healthcheck]).not.toContain(undefined);
  expect(Object.keys(services.service!.depends_on).sort()).toEqual(['catalogue', 'mail', 'migrate']);
});
