import { campaignId } from '../support/world-campaigns.ts';
import { learnerId } from '../support/world.ts';

type Operation =
  ('listAssignments' | 'listCampaignPreviewLearners' | 'listCampaigns') | ('listCorrections' | 'listLearnerMerges');

/** Calls of the lists of campaigns, corrections and merges, with every filter that has a statement. */
export const RECORD_CHANGES: [Operation, Record<string, string>][] = [
  ['listCampaigns', {}],
  ['listCampaignPreviewLearners', { campaignId: campaignId('msp') }],
  ['listAssignments', {}],
  ['listAssignments', { assignmentStatus: 'open' }],
  ['listAssignments', { campaignId: campaignId('msp') }],
  ['listAssignments', { learnerId: learnerId('msp', 1) }],
  ['listCorrections', {}],
  ['listCorrections', { learnerId: learnerId('msp', 1) }],
  ['listCorrections', { kind: 'course_result' }],
  ['listLearnerMerges', {}],
  ['listLearnerMerges', { learnerId: learnerId('msp', 3) }],
];
