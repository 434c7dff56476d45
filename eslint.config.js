import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  {
    ignores: [
      '**/generated/',
      'sdk/dist/',
      'contract-gate/dist/',
      'coverage/',
      '.tools/',
      'scripts/sdk-check/programs/',
      '**/*.js',
    ],
  },
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 300 }],
      'no-console': 'error',
      eqeqeq: 'error',
      'no-restricted-properties': [
        'error',
        // Express returns any text of X-Forwarded-For as the address.
        ...['ip', 'ips'].map((property) => ({ object: 'req', property, message: 'Use clientAddressOf(req).' })),
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    },
  },
  {
    // Requests to other services go through src/outbound/, which checks the addresses that they go to.
    files: ['src/**/*.ts'],
    ignores: ['src/outbound/**'],
    rules: {
      'no-restricted-globals': ['error', 'fetch', 'WebSocket', 'EventSource'],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...['node:https', 'node:tls', 'node:http2', 'undici'].map((name) => ({ name })),
            { name: 'node:http', importNames: ['request', 'get', 'Agent', 'default'] },
            { name: 'node:net', importNames: ['connect', 'createConnection', 'default'] },
          ],
        },
      ],
    },
  },
  // Functions that are declared to return a promise are async, whether they await or not.
  { rules: { '@typescript-eslint/require-await': 'off' } },
  {
    // The test client validates responses against the contract at run time; their types would only repeat it.
    files: ['tests/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: [
      'scripts/**',
      'contract-gate/**',
      'src/commands/**',
      'tests/bench/**',
      'tests/faults/**',
      'tests/citus/**',
      'tests/{gophish,mcp,scim,scorm,xapi}-conformance/**',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // The bridge is published as one file, and reads JSON of any shape.
    files: ['bridge/bridge.mjs'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
