import { invalidField } from '../../../contract/errors.ts';
import { readNetwork, getNetworkSize } from '../../../net/ip-networks.ts';

/** A wider one would take the visits of most people for those of scanners. */
const MIN_PREFIX = { 32: 8, 128: 16 } as const;

/**
 * Reads the networks of a company's scanners into their canonical spelling, each once.
 * @throws invalid_request that names the first that is not a network, or is too wide
 */
export function readScannerNetworks(texts: readonly string[]): string[] {
  const networks = texts.map((text, index) => {
    const field = `body/scannerNetworks/${index}`;
    const network = readNetwork(text);
    if (network === null) throw invalidField(field, 'must be a network such as 198.51.100.0/24, or an IP address');
    const { prefix, bits } = getNetworkSize(network);
    if (prefix < MIN_PREFIX[bits]) throw invalidField(field, `must have a prefix of ${MIN_PREFIX[bits]} bits or more`);
    return network;
  });
  return [...new Set(networks)];
}
