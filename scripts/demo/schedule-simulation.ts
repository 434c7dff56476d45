// Makes a running demo send a phishing simulation to ten people, and prints the calls.
//   node scripts/demo/schedule-simulation.ts [http://127.0.0.1:3000/v1]
import { runCommand } from '../../src/commands/command.ts';
import { SIMULATION_SENDER } from './readiness.ts';
import { base, call } from './call.ts';

/** The template `parcel-on-hold`, which ships with the service. */
const TEMPLATE_ID = '0a91cda5-5440-419f-971a-aadaad027969';
const RECIPIENTS = 10;
/** Length of the sending window; slightly more than the minimum of one minute. */
const WINDOW_MS = 65_000;

interface Learner {
  id: string;
  inactive: boolean;
}

await runCommand(async () => {
  const learners = await call<Learner[]>('GET', '/learners?limit=100');
  const learnerIds = learners.filter(({ inactive }) => !inactive).map(({ id }) => id);
  const { id } = await show<{ id: string }>('/simulations', {
    name: 'A parcel that waits',
    templateIds: [TEMPLATE_ID],
    recipients: { learnerIds: learnerIds.slice(0, RECIPIENTS) },
    startDate: new Date().toISOString(),
    endDate: new Date(Date.now() + WINDOW_MS).toISOString(),
    workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' },
    // The hours exclude the minute before midnight, so near midnight another time zone is used.
    timeZone: new Date().getUTCHours() === 23 ? 'Etc/GMT-6' : 'UTC',
    senderDomain: SIMULATION_SENDER,
  });
  await show(`/simulations/${id}/schedule`);
  console.log(
    `${RECIPIENTS} messages arrive within a minute. To see what each recipient does: GET ${base}/simulations/${id}`,
  );
});

/** Prints a call and makes it. */
function show<T>(path: string, body?: object): Promise<T> {
  console.log(`POST ${base}${path}${body ? `\n${JSON.stringify(body)}` : ''}`);
  return call<T>('POST', path, body);
}
