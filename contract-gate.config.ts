import type { GateConfig } from './contract-gate/src/index.ts';
import { serviceRules } from './scripts/contract-gate/access-rules.ts';

export default { rules: serviceRules } satisfies GateConfig;
