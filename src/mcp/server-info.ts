import { contractVersion } from '../../generated/tools.ts';

/** Name and version of the server in the protocol. */
export const INFO = {
  name: 'security-awareness',
  title: 'Security Awareness Program Service',
  version: contractVersion,
};
