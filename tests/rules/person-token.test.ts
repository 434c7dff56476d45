import { createPersonToken, hashPersonToken, readPersonToken } from '../../src/identity/person-token.ts';
import { createSetupToken, isWellFormedSetupToken } from '../../src/identity/setup-token.ts';

const companyId = '0192a3b4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';
const ID_BYTES = 16;

/** Counts the bits that are set in some tokens and not in others. */
function countVaryingBits(tokens: readonly Buffer[]): number {
  const bits = Array.from({ length: tokens[0]!.length * 8 }, (_, bit) => {
    return new Set(tokens.map((token) => (token[bit >> 3]! >> (bit & 7)) & 1)).size;
  });
  return bits.filter((values) => values === 2).length;
}

test('the secret of a link or a session has the company and 256 random bits', () => {
  const tokens = Array.from({ length: 200 }, () => createPersonToken(companyId));
  expect(new Set(tokens).size).toBe(200);
  const bytes = tokens.map((token) => Buffer.from(token, 'base64url'));
  expect(countVaryingBits(bytes)).toBe(256);
  expect(countVaryingBits(bytes.map((token) => token.subarray(ID_BYTES)))).toBe(256);
  for (const token of tokens) expect(readPersonToken(token)).toEqual({ companyId, tokenHash: hashPersonToken(token) });
});

test('the secret of a setup link has 256 random bits', () => {
  const tokens = Array.from({ length: 200 }, createSetupToken);
  expect(tokens.every(isWellFormedSetupToken)).toBe(true);
  expect(countVaryingBits(tokens.map((token) => Buffer.from(token, 'base64url')))).toBe(256);
});

test('only the SHA-256 of a secret is stored', () => {
  const token = createPersonToken(companyId);
  const { tokenHash } = readPersonToken(token)!;
  expect(tokenHash).toHaveLength(32);
  expect(tokenHash.includes(Buffer.from(token, 'base64url').subarray(ID_BYTES))).toBe(false);
});
