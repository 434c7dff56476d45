import { contractVersion } from '../../generated/tools.ts';

/** What the server calls itself. */
export const INFO = {
  name: 'security-awareness',
  title: 'Security Awareness Program Service',
  version: contractVersion,
};
