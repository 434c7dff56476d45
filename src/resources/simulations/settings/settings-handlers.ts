import { randomBytes } from 'node:crypto';
import type { Handler } from '../../../contract/contract.ts';
import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import { SIMULATION_HEADER } from '../sending/compose-phishing-email.ts';
import { readScannerNetworks } from './scanner-network-rules.ts';
import * as repository from './settings-repository.ts';

interface SettingsHandlers {
  getSimulationSettings: Handler<'getSimulationSettings'>;
  updateSimulationSettings: Handler<'updateSimulationSettings'>;
  rotateSimulationHeaderSecret: Handler<'rotateSimulationHeaderSecret'>;
}

export function createSettingsHandlers(simulations: SimulationsConfig | undefined): SettingsHandlers {
  const ofOperator = { headerName: SIMULATION_HEADER, senderDomains: [...(simulations?.senders ?? [])] };
  // A change makes the settings where there are none yet.
  const newSecret = () => randomBytes(16).toString('hex');
  return {
    getSimulationSettings: async (_input, tenant) => ({ ...ofOperator, ...(await repository.findSettings(tenant)) }),

    updateSimulationSettings: async ({ body: { stopped = null, scannerNetworks } }, tenant) => {
      const networks = scannerNetworks ? readScannerNetworks(scannerNetworks) : null;
      const changes = { stopped, scannerNetworks: networks };
      return { ...ofOperator, ...(await repository.updateSettings(tenant, changes, newSecret())) };
    },

    rotateSimulationHeaderSecret: async (_input, tenant) => {
      return { ...ofOperator, ...(await repository.replaceSecret(tenant, newSecret())) };
    },
  };
}
