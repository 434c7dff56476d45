import keys from '../../seeds/demo-keys.json' with { type: 'json' };

/** A course that ships with the service, and in which nobody of the demo is enrolled. */
const COURSE = 'deepfakes';

/**
 * Returns suggestions for what to do next, with requests to paste. First checks whether the demo keys work.
 * @param mail where messages go
 */
export async function welcome(base: string, mail: string): Promise<string> {
  const children = await ask(base, '/companies', keys.msp);
  const lines = [
    `\nThe service is ready:   ${base}`,
    `Its documentation:      ${new URL('/docs', base).href}`,
    `Its contract:           ${base}/openapi.json`,
    `AI clients connect to:  ${new URL('/mcp', base).href}, as ${new URL('/setup', base).href} explains`,
    `Messages are            ${mail}`,
  ];
  if (!children) {
    lines.push('\nThis database has companies of its own, so the demo keys do not work. See: make keys ARGS=--help');
  } else {
    const request = (key: string, path: string) => `  curl -s -H 'Authorization: Bearer ${key}' '${base}${path}'`;
    const [child] = children as { id: string; name: string }[];
    const [learner, admin] = await Promise.all([somebody(base, '/learners'), somebody(base, '/admins')]);
    const courses = (await ask(base, '/courses', keys.tenant)) as { id: string; name: string }[];
    const enrolment = { courseIds: [courses.find(({ name }) => name === COURSE)?.id], learnerIds: [learner?.id] };
    lines.push(
      '\nPeople have no password. Ask for a link on one of these pages; it comes as a message, in a few seconds:',
      `  ${new URL('/learn', base).href.padEnd(34)} a learner, such as ${learner?.email}`,
      `  ${new URL('/console', base).href.padEnd(34)} an admin, such as ${admin?.email}`,
      '\nAn enrolment: the learner gets a message with a link, takes the course, and the result is there a second later:',
      `${request(keys.tenant, '/course-enrollments')} -H 'Content-Type: application/json' -d '${JSON.stringify(enrolment)}'`,
      request(keys.tenant, `/learners/${learner?.id}/course-results`),
      '\nA tenant reads its company, and its learners:',
      request(keys.tenant, '/company'),
      `${request(keys.tenant, '/learners')} | head -c 400`,
      '\nWho takes part in which training:',
      `${request(keys.tenant, '/reports/course-participation')} | head -c 400`,
      '\nAn MSP lists its child tenants, and reads the learners of one of them:',
      request(keys.msp, '/companies'),
      `${request(keys.msp, `/learners?companyId=${child?.id}`)} | head -c 400`,
      '\nA distributor lists the tenants below it:',
      request(keys.distributor, '/companies'),
      '\nA prospect reads its company:',
      request(keys.prospect, '/company'),
      '\nA receiver on this machine prints the events of the tenant, verified (another terminal, in this folder):',
      `  make receive-webhooks ARGS=${base}`,
      '\nA phishing simulation: ten people get a message within a minute, whose link leads to a lesson. What they do is counted:',
      `  make demo-simulation ARGS=${base}`,
      `${request(keys.tenant, '/simulations/metrics')} | head -c 400`,
      '\nMore keys: seeds/demo-keys.json, or make keys ARGS=--help',
    );
  }
  return [...lines, 'Ctrl-C ends the demo.\n'].join('\n');
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
