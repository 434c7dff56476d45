/** @jest-environment-options {"COMPRESSION": "off"} */
import { requestEncoded } from '../support/encoded.ts';
import { keys } from '../support/world.ts';

test.each(['/docs/errors', '/v1/openapi.json', '/v1/learners'])(
  '%s is sent as it is if compression is off',
  async (path) => {
    const headers = { authorization: `Bearer ${keys.tenant}`, 'accept-encoding': 'gzip, br' };
    const answer = await requestEncoded(path, headers);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
    expect(answer.headers.vary ?? '').not.toMatch(/accept-encoding/i);
  },
);
