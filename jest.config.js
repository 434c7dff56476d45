import { availableParallelism } from 'node:os';

/** Settings of all projects. Node's own stripper removes the types, so that tests run the same lines as production. */
const shared = {
  transform: { '\\.ts$': '<rootDir>/tests/support/strip-types.js' },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/\\.tools/'],
};

export default {
  globalSetup: '<rootDir>/tests/support/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/global-teardown.ts',
  testSequencer: '<rootDir>/tests/support/longest-first.js',
  // A test takes many times longer on a busy machine.
  testTimeout: 180_000,
  // A worker has no open handles at its end, but unloading its modules takes longer than half a second.
  workerGracefulExitTimeout: 10_000,
  // Tests mostly wait for Postgres or a clock, so two workers per core use the processor better.
  maxWorkers: availableParallelism() * 2,
  projects: [
    {
      ...shared,
      displayName: 'rules',
      testMatch: [
        '<rootDir>/tests/{rules,contract-gate}/**/*.test.ts',
        '<rootDir>/tests/breach-feed/upstream*.test.ts',
      ],
    },
    {
      ...shared,
      displayName: 'service',
      testMatch: [
        '<rootDir>/tests/{resources,contract,http,auth,db,docs,browser,migrations,seeds,mcp}/**/*.test.ts',
        '<rootDir>/tests/breach-feed/breach-feed*.test.ts',
      ],
      testEnvironment: '<rootDir>/tests/support/service-environment.ts',
    },
    // These tests start programs as their users do: `make test-programs`.
    {
      ...shared,
      displayName: 'programs',
      testMatch: ['<rootDir>/tests/{process,tools,mail,sdk}/**/*.test.ts'],
      testEnvironment: '<rootDir>/tests/support/service-environment.ts',
    },
    { ...shared, displayName: 'bridge', testMatch: ['<rootDir>/tests/bridge/**/*.test.ts'] },
  ],
};
