import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';

const read = (url: string) => readConfig({ DATABASE_URL: 'postgres://localhost/x', REDIS_URL: url }).redisUrl;

test('without REDIS_URL, limits are shared through Postgres', () => {
  expect(read('')).toBeUndefined();
});

test.each(['redis://127.0.0.1:6379', 'rediss://user:pass%2Fword@redis.example.org/2'])('%s is accepted', (url) => {
  expect(read(url)).toBe(url);
});

test.each(['127.0.0.1:6379', 'http://secret@127.0.0.1', 'redis://'])(
  "%s is rejected with the setting's name and without its value",
  (url) => {
    expect(() => read(url)).toThrow(ConfigError);
    expect(() => read(url)).toThrow(/^REDIS_URL must be a URL such as redis/);
    expect(() => read(url)).not.toThrow(/secret/);
  },
);
