import keys from '../../seeds/demo-keys.json' with { type: 'json' };

/** A course that ships with the service and in which no learner of the demo is enrolled. */
const COURSE = 'deepfakes';

/**
 * Returns suggestions for what to do next, with requests to paste. First checks whether the demo keys work.
 * @param mail where messages go
 */
export async function welcome(base: string, mail: string): Promise<string> {
  const children = await ask(base, '/companies', keys.msp);
  const lines = [
    `\nThe service is ready:   ${base}`,
    `Documentation:          ${new URL('/docs', base).href}`,
    `Contract:               ${base}/openapi.json`,
    `AI clients connect to:  ${new URL('/mcp', base).href} (see ${new URL('/setup', base).href})`,
    `Messages are            ${mail}`,
  ];
  if (!children) {
    lines.push('\nThis database has its own companies, so the demo keys do not work. See: make keys ARGS=--help');
  } else {
    const request = (key: string, path: string) => `  curl -s -H 'Authorization: Bearer ${key}' '${base}${path}'`;
    const [child] = children as { id: string; name: string }[];
    const [learner, admin] = await Promise.all([somebody(base, '/learners'), somebody(base, '/admins')]);
    const courses = (await ask(base, '/courses', keys.tenant)) as { id: string; name: string }[];
    const enrolment = { courseIds: [courses.find(({ name }) => name === COURSE)?.id], learnerIds: [learner?.id] };
    lines.push(
      '\nPeople have no password. Request a link on one of these pages; it arrives as a message in a few seconds:',
      `  ${new URL('/learn', base).href.padEnd(34)} a learner, such as ${learner?.email}`,
      `  ${new URL('/console', base).href.padEnd(34)} an admin, such as ${admin?.email}`,
      '\nEnrol a learner. The learner gets a message with a link and takes the course; the result appears a second later:',
      `${request(keys.tenant, '/course-enrollments')} -H 'Content-Type: application/json' -d '${JSON.stringify(enrolment)}'`,
      request(keys.tenant, `/learners/${learner?.id}/course-results`),
      '\nRead the company and the learners of a tenant:',
      request(keys.tenant, '/company'),
      `${request(keys.tenant, '/learners')} | head -c 400`,
      '\nReport who takes part in which training:',
      `${request(keys.tenant, '/reports/course-participation')} | head -c 400`,
      '\nAs an MSP, list the child tenants and read the learners of one:',
      request(keys.msp, '/companies'),
      `${request(keys.msp, `/learners?companyId=${child?.id}`)} | head -c 400`,
      '\nAs a distributor, list the tenants below it:',
      request(keys.distributor, '/companies'),
      '\nAs a prospect, read the company:',
      request(keys.prospect, '/company'),
      '\nReceive, verify and print the events of the tenant (in another terminal, in this folder):',
      `  make receive-webhooks ARGS=${base}`,
      '\nSend a phishing simulation. Ten people get a message within a minute; its link opens a lesson, and visits are counted:',
      `  make demo-simulation ARGS=${base}`,
      `${request(keys.tenant, '/simulations/metrics')} | head -c 400`,
      '\nMore keys: seeds/demo-keys.json, or make keys ARGS=--help',
    );
  }
  return [...lines, 'Press Ctrl-C to stop the demo.\n'].join('\n');
}

interface Person {
  id: string;
  email: string;
  inactive?: boolean;
  status?: string;
}

/** Finds a person of the tenant who can sign in. */
async function somebody(base: string, path: string): Promise<Person | undefined> {
  const people = (await ask(base, path, keys.tenant)) as Person[];
  return people.find(({ inactive, status }) => !inactive && status !== 'invited');
}

/** Returns the `data` of a response, or undefined if the key does not work. */
async function ask(base: string, path: string, key: string): Promise<unknown> {
  const answer = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return answer.ok ? ((await answer.json()) as { data: unknown }).data : undefined;
}
