/** xAPI statements as senders write them. The Moodle statements have the form of the plugin logstore_xapi 5. */

export const MOODLE = 'https://moodle.acme.test';
export const COURSE_IRI = `${MOODLE}/course/view.php?id=7`;

const adl = (verb: string) => ({ id: `http://adlnet.gov/expapi/verbs/${verb}`, display: { en: verb } });

/** Returns a Moodle statement: without an id, with the time of its event to the second. */
export function moodleStatement({ actor, verb, object, result, timestamp }: Record<string, any>) {
  return {
    context: {
      platform: 'Moodle',
      registration: 'c5ab8a1e-6f3a-5d0b-a7c1-0a8f0a1c7f3e',
      language: 'en',
      contextActivities: {
        category: [
          {
            id: MOODLE,
            definition: { type: 'http://id.tincanapi.com/activitytype/lms', name: { en: 'Acme Academy' } },
            objectType: 'Activity',
          },
        ],
      },
      extensions: {
        'http://lrs.learninglocker.net/define/extensions/info': {
          'http://moodle.org': '4.5.1 (Build: 20241202)',
          'https://github.com/xAPI-vle/moodle-logstore_xapi': 'v5.0.0',
          event_name: '\\core\\event\\course_completed',
          event_function: '\\src\\transformer\\events\\core\\course_completed',
        },
      },
    },
    timestamp: timestamp ?? '2026-03-09T10:15:30.000Z',
    actor: { name: 'Ada Lovelace', ...actor },
    verb,
    object: { objectType: 'Activity', ...object },
    ...(result && { result }),
  };
}

const courseActivity = {
  id: COURSE_IRI,
  definition: { type: 'https://w3id.org/xapi/cmi5/activitytype/course', name: { en: 'Phishing for beginners' } },
};

/** Returns `\core\event\course_completed`, without a result, because Moodle sends no score for a course. */
export const courseCompleted = (actor: object, timestamp?: string) =>
  moodleStatement({ actor, verb: adl('completed'), object: courseActivity, timestamp });

/** Returns `\core\event\course_viewed`. */
export const courseViewed = (actor: object) =>
  moodleStatement({
    actor,
    verb: { id: 'http://id.tincanapi.com/verb/viewed', display: { en: 'Viewed' } },
    object: courseActivity,
  });

/** Returns `\mod_quiz\event\attempt_submitted`, in which 75 of 100 points have a scaled score of 0.5. */
export const quizSubmitted = (actor: object) =>
  moodleStatement({
    actor,
    verb: adl('completed'),
    object: {
      id: `${MOODLE}/mod/quiz/attempt.php?attempt=31&cmid=12`,
      definition: { type: 'http://adlnet.gov/expapi/activities/attempt', name: { en: 'Attempt 31' } },
    },
    result: {
      score: { raw: 75, min: 0, max: 100, scaled: 0.5 },
      completion: true,
      success: true,
      duration: 'PT312S',
    },
  });

/** Returns a statement about the course from any other sender, such as a package of an authoring tool. */
export function courseStatement(verb: string, more: Record<string, unknown> = {}) {
  return {
    actor: { objectType: 'Agent', mbox: 'mailto:learner1@tenant.test' },
    verb: adl(verb),
    object: { id: COURSE_IRI },
    timestamp: '2026-03-09T10:15:30Z',
    ...more,
  };
}
