import { randomBytes } from 'node:crypto';
import type { Handler } from '../../../contract/contract.ts';
import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import { invalidField } from '../../../contract/errors.ts';
import { getNetworkSize, readNetwork } from '../../../net/ip-networks.ts';
import { SIMULATION_HEADER } from '../sending/compose-phishing-email.ts';
import * as repository from './settings-repository.ts';

/**
 * Minimum prefix lengths, by the length of the IP address in bits. With a wider network, most visitors would count as
 * scanners.
 */
const MIN_PREFIX = { 32: 8, 128: 16 } as const;

interface SettingsHandlers {
  getSimulationSettings: Handler<'getSimulationSettings'>;
  updateSimulationSettings: Handler<'updateSimulationSettings'>;
  rotateSimulationHeaderSecret: Handler<'rotateSimulationHeaderSecret'>;
}

export function createSettingsHandlers(simulations: SimulationsConfig | undefined): SettingsHandlers {
  const ofOperator = { headerName: SIMULATION_HEADER, senderDomains: [...(simulations?.senders ?? [])] };
  // If the settings are missing, the change creates them, which requires a secret.
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

/**
 * Normalises the networks of a company's scanners, and removes duplicates.
 * @throws invalid_request naming the first network that is invalid or too wide
 */
function readScannerNetworks(texts: readonly string[]): string[] {
  const networks = texts.map((text, index) => {
    const field = `body/scannerNetworks/${index}`;
    const network = readNetwork(text);
    if (network === null) throw invalidField(field, 'must be a network such as 198.51.100.0/24 or an IP address');
    const { prefix, bits } = getNetworkSize(network);
    if (prefix < MIN_PREFIX[bits]) throw invalidField(field, `must have a prefix of at least ${MIN_PREFIX[bits]} bits`);
    return network;
  });
  return [...new Set(networks)];
}
