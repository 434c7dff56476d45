/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/practice"} */
import { get, patch, post } from '../support/client.ts';
import { Learner, type Page } from '../support/learner.ts';
import { choose, hiddenFields, take } from '../support/player.ts';
import { learnerId, managedCourses } from '../support/world.ts';

const COURSE = `/learn/courses/${managedCourses.passwords}`;
const CUES = ['from', 'attachment', 'reply-to', 'deadline', 'release'];
const mark = (question: string, ...parts: string[]) => parts.map((part) => `${question}=${part}`).join('&');

/** Enrols a learner, who begins the course and reads its lesson. */
async function begin(number: 1 | 2 | 3 | 4): Promise<Learner> {
  await post('/course-enrollments', {
    learnerIds: [learnerId('tenant', number)],
    courseIds: [managedCourses.passwords],
  });
  const learner = await Learner.of('tenant', number);
  await learner.post(COURSE);
  await take(learner, `${COURSE}/1`);
  return learner;
}

const valuesOf = ({ html }: Page, type: 'radio' | 'checkbox') =>
  [...html.matchAll(new RegExp(`<input type="${type}" name="([^"]+)" value="([^"]+)"`, 'g'))].map(
    ([, name, value]) => [name!, value!] as const,
  );

async function resultOf(number: 2 | 3 | 4) {
  const { body } = await get(`/learners/${learnerId('tenant', number)}/course-results`);
  return body.data.find(({ courseId }: { courseId: string }) => courseId === managedCourses.passwords);
}

describe('an email to inspect', () => {
  test('offers each part as a mark, and shows the address of a link as text only', async () => {
    const page = await (await begin(2)).get(`${COURSE}/2`);
    expect(valuesOf(page, 'checkbox').map(([, value]) => value)).toEqual([
      ...['from', 'subject', 'attachment', 'reply-to', 'deadline', 'release', 'harmless'],
    ]);
    expect(page.html).toContain('Parcel Desk &lt;desk@parcels.example.track-now.test>');
    expect(page.html).toContain('Your parcel &lt;waits>');
    expect(page.html).toMatch(/role="link" aria-disabled="true" tabindex="0" aria-describedby="parcel-address-2"/);
    expect(page.html).not.toMatch(/href="https/);
    expect(page.html).not.toMatch(/Answers go elsewhere|<mark>/);
  });

  test('is rejected if it is both marked and harmless, or neither', async () => {
    const learner = await Learner.of('tenant', 2);
    for (const choices of [mark('parcel', 'from', 'harmless'), '', mark('parcel', 'nowhere')]) {
      const page = await choose(learner, `${COURSE}/2`, await learner.get(`${COURSE}/2`), choices);
      expect(page.status).toBe(400);
      expect(page.html).toMatch(/aria-describedby="parcel-fault".*id="parcel-fault" role="alert"/s);
    }
  });

  test('explains each part after the answer, and highlights the warning signs', async () => {
    const learner = await Learner.of('tenant', 2);
    await take(learner, `${COURSE}/2`, mark('parcel', 'from', 'deadline'));
    const { html } = await learner.get(`${COURSE}/2`);
    expect(html).toContain('That is right.');
    expect(html).toMatch(/Reply-To: other@track-now\.test.*Warning sign.*Answers go elsewhere/s);
    expect(html).toMatch(/Warning sign<\/strong><span> \(you marked it\)<\/span>: <span>It pushes/);
    expect(html).toMatch(/Your parcel &lt;waits.*Harmless<\/strong>: <span>Anybody can wait/s);
    expect(html).toMatch(/<details open>.*<mark>/s);
  });

  test('is wrong if a harmless part is marked', async () => {
    const learner = await Learner.of('tenant', 2);
    await take(learner, `${COURSE}/3`, mark('canteen', 'menu'));
    expect((await learner.get(`${COURSE}/3`)).html).toMatch(
      /not quite right.*Nothing is wrong with this email.*Right/s,
    );
  });
});

test('a lesson shows how the company reports messages, or says whom to ask', async () => {
  const learner = await Learner.of('tenant', 2);
  expect((await learner.get(`${COURSE}/1`)).html).toContain('Ask your IT or security team');
  const reporting = {
    ...{ address: 'report+it@tenant.test', phone: '+44 (20) 7946-0158' },
    instructions: 'Press <Report>.',
  };
  await patch('/company/settings', { reporting });
  const { html } = await learner.get(`${COURSE}/1?language=de`);
  expect(html).toMatch(/zuerst.*So melden Sie eine Nachricht.*Press &lt;Report>\..*Melden Sie es\./s);
  expect(html).toContain('<a href="mailto:report%2Bit%40tenant.test">report+it@tenant.test</a>');
  expect(html).toContain('<a href="tel:+442079460158">+44 (20) 7946-0158</a>');
  await patch('/company/settings', { reporting: { phone: '112' } });
  expect((await learner.get(`${COURSE}/1`)).html).not.toContain('mailto:');
});

describe('a scenario', () => {
  const choosing = async (learner: Learner, choice: string) => {
    await take(learner, `${COURSE}/4`, `call=${choice}`);
    return (await learner.get(`${COURSE}/4`)).html;
  };

  test('moves from scene to scene, back to an earlier one, and to an end', async () => {
    const learner = await Learner.of('tenant', 2);
    expect((await learner.get(`${COURSE}/4`)).html).toContain('The phone <strong>rings</strong>');
    expect(await choosing(learner, 'b')).toContain('He says a name.');
    const again = await choosing(learner, 'a');
    expect(again).toContain('The phone <strong>rings</strong>');
    expect(again).toContain('name="call-path" value/>');
    expect((await learner.get(COURSE)).html).toContain('You have done 3 of 6 parts');
    await choosing(learner, 'b');
    expect(await choosing(learner, 'b')).toMatch(/Nobody had called\..*This ended well\./s);
  });

  test('keeps the end that was reached first, and can be played again', async () => {
    const learner = await Learner.of('tenant', 2);
    const replay = await learner.get(`${COURSE}/4?replay=`);
    expect(replay.html).toContain(`href="${COURSE}/4?replay=a"`);
    const lost = await learner.get(`${COURSE}/4?replay=a`);
    expect(lost.html).toMatch(/Your result will not change.*The code is gone\..*did not end well/s);
    for (const path of ['b.b.b', 'x', '__proto__']) {
      expect((await learner.get(`${COURSE}/4?replay=${path}`)).html).toContain('Nobody had called.');
    }
    expect((await learner.get(`${COURSE}/4?language=de&replay=a`)).html).toContain('nicht gut ausgegangen');
  });

  test('ignores a choice of a scene that the learner has left, and one that does not exist', async () => {
    const learner = await begin(3);
    await take(learner, `${COURSE}/2`, mark('parcel', ...CUES));
    await take(learner, `${COURSE}/3`, mark('canteen', 'harmless'));
    const first = await learner.get(`${COURSE}/4`);
    expect((await choose(learner, `${COURSE}/4`, first, 'call=x')).status).toBe(400);
    const sent = await Promise.all(['call=b', 'call=b'].map((choice) => choose(learner, `${COURSE}/4`, first, choice)));
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    await choose(learner, `${COURSE}/4`, first, 'call=a');
    const skipped = { ...hiddenFields(first), 'call-path': 'b', call: 'b' };
    expect((await learner.get(`${COURSE}/4`)).html).toContain('He says a name.');
    await learner.post(`${COURSE}/4`, { ...skipped, 'call-path': 'a' });
    await learner.post(`${COURSE}/4`, { ...skipped, 'call-path': 'b.a.b' });
    expect((await learner.get(`${COURSE}/4`)).html).toContain('He says a name.');
    // Nobody can look at other scenes before the end.
    expect((await learner.get(`${COURSE}/4?replay=a`)).html).toContain('He says a name.');
  });
});

describe('a pool', () => {
  test('gives an attempt the same questions and answers in the same order on every page', async () => {
    const learner = await Learner.of('tenant', 3);
    await take(learner, `${COURSE}/4`, 'call=b');
    const [first, german] = [await learner.get(`${COURSE}/5`), await learner.get(`${COURSE}/5?language=de`)];
    expect(valuesOf(german, 'radio')).toEqual(valuesOf(first, 'radio'));
    expect(valuesOf(first, 'radio')).toHaveLength(4);
    expect((await learner.get(`${COURSE}/7`)).status).toBe(404);
    await take(learner, `${COURSE}/5`, `${valuesOf(first, 'radio')[0]![0]}=a`);
    const last = await learner.get(`${COURSE}/6`);
    expect(valuesOf(last, 'radio')[0]![0]).not.toBe(valuesOf(first, 'radio')[0]![0]);
    const undrawn = await choose(learner, `${COURSE}/6`, last, 'draw-9=a');
    expect(undrawn.status).toBe(400);
    await take(learner, `${COURSE}/6`, `${valuesOf(last, 'radio')[0]![0]}=b`);
    expect(await resultOf(3)).toMatchObject({ score: 80, grade: 'pass' });
  });

  test('draws again for each attempt, so that remembered answers do not pass it', async () => {
    const learner = await Learner.of('tenant', 2);
    const seen = new Set<string>();
    for (let attempt = 0; attempt < 6; attempt++) {
      await testService.query(`update course_progress set parts = '{}' where learner_id = $1 and course_id = $2`, [
        learnerId('tenant', 2),
        managedCourses.passwords,
      ]);
      await take(learner, `${COURSE}/1`);
      await take(learner, `${COURSE}/2`, mark('parcel', 'subject'));
      await take(learner, `${COURSE}/3`, mark('canteen', 'from'));
      await take(learner, `${COURSE}/4`, 'call=a');
      const first = await learner.get(`${COURSE}/5`);
      const drawn = valuesOf(first, 'radio');
      await take(learner, `${COURSE}/5`, `${drawn[0]![0]}=b`);
      const second = valuesOf(await learner.get(`${COURSE}/6`), 'radio');
      seen.add(`${drawn.join()} ${second.join()}`);
      await take(learner, `${COURSE}/6`, `${second[0]![0]}=b`);
      expect(await resultOf(2)).toMatchObject({ score: 0, grade: 'fail' });
      await learner.post(COURSE);
    }
    expect(seen.size).toBeGreaterThan(3);
  });
});

test('answered questions show how to report, and open ones do not, because answers mention it', async () => {
  const learner = await begin(1);
  await patch('/company/settings', { reporting: { phone: '112' } });
  const step = `${COURSE}/2`;
  const hint = '<summary>How you report a message</summary>';
  const open = await learner.get(step);
  expect(open.html).not.toContain(hint);
  const [[question] = []] = valuesOf(open, 'checkbox');
  await take(learner, step, mark(question!, ...CUES));
  expect((await learner.get(step)).html).toContain(hint);
  await patch('/company/settings', { reporting: null });
  expect((await learner.get(step)).html).not.toContain(hint);
});
