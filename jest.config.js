import { availableParallelism } from 'node:os';

/** TypeScript is stripped by Node's own stripper, so tests run the lines that production runs. */
const shared = {
  transform: { '\\.ts$': '<rootDir>/tests/support/strip-types.js' },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/\\.tools/'],
};

export default {
  globalSetup: '<rootDir>/tests/support/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/global-teardown.ts',
  // On a busy machine a test takes many times as long as alone.
  testTimeout: 180_000,
  // A worker has no handle open at its end, but taking down all that it has loaded lasts longer than half a second.
  workerGracefulExitTimeout: 10_000,
  // Tests wait for Postgres most of their time, or for a clock, so that four workers on two cores find some.
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
    // These start programs as their users do: `make test-programs`.
    {
      ...shared,
      displayName: 'programs',
      testMatch: ['<rootDir>/tests/{process,tools,mail,sdk}/**/*.test.ts'],
      testEnvironment: '<rootDir>/tests/support/service-environment.ts',
    },
    { ...shared, displayName: 'bridge', testMatch: ['<rootDir>/tests/bridge/**/*.test.ts'] },
  ],
};
