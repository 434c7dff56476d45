// The learner's progress in an exported course, and the string in which the learning system stores it. SCORM 1.2 has
// room for 4,096 characters, so the string contains the positions of answers instead of their ids:
// `{"h":"…","l":"en","r":7,"s":["","0"]}`.
globalThis.createAttempt = (course) => {
  const { drawSteps, isAnswered, isRight, toScore } = globalThis.courseGrading;

  /** Reads a stored string. If the content has changed since, the attempt begins again. */
  function read(text) {
    try {
      const stored = JSON.parse(text);
      if (stored?.h === course.version && Array.isArray(stored.s)) return stored;
    } catch {
      // The string comes from another course, or is empty.
    }
    return undefined;
  }

  return (text) => {
    const stored = read(text);
    const seed = stored?.r ?? Math.floor(Math.random() * 2 ** 31) + 1;
    const steps = drawSteps(course.steps, seed);
    /** Answers of each step, by the position of the question in the step; undefined for a step that was not opened. */
    const given = steps.map((step, place) => decode(step, stored?.s[place]));
    const attempt = {
      steps,
      language: stored?.l,
      /** The reported score and status; undefined until the attempt has ended. */
      result: stored?.e && { score: stored.e[0] ?? undefined, passed: stored.e[1] === 1 },
      /** Whether this or an earlier attempt has reported the completion. */
      isCompleted: stored?.c === 1,
      givenTo: (place, index) => given[place]?.[index],
      answer(place, answers) {
        given[place] = answers;
      },
      isDone: (place) =>
        given[place] !== undefined &&
        steps[place].questions.every((question, index) => isAnswered(question, given[place][index])),
      verdict: (place, index) => isRight(steps[place].questions[index], given[place]?.[index] ?? []),
      firstOpen() {
        const place = steps.findIndex((_, index) => !attempt.isDone(index));
        return place < 0 ? steps.length : place;
      },
      score() {
        const all = steps.flatMap((step, place) =>
          step.questions.map((question, index) => ({ ...question, given: given[place]?.[index] })),
        );
        return toScore(all, (question) => question.given);
      },
      toText() {
        const { language, result, isCompleted } = attempt;
        return JSON.stringify({
          h: course.version,
          l: language,
          r: seed,
          s: given.map((answers, place) => encode(steps[place], answers)),
          ...(result && { e: [result.score ?? null, result.passed ? 1 : 0] }),
          ...(isCompleted && { c: 1 }),
        });
      },
    };
    return attempt;
  };

  function encode({ questions }, answers) {
    if (answers === undefined) return null;
    return questions.map((question, index) => encodeAnswer(question, answers[index])).join('.');
  }

  function decode(step, text) {
    if (typeof text !== 'string') return undefined;
    const texts = text.split('.');
    return step.questions.map((question, index) => decodeAnswer(question, texts[index] ?? ''));
  }

  function encodeAnswer({ kind, answers, scenes }, given = []) {
    if (kind !== 'scenario')
      return given.map((id) => toDigit(answers.findIndex((answer) => answer.id === id))).join('');
    let scene = scenes[0];
    return given
      .map((choiceId) => {
        const index = scene.choices.findIndex(({ id }) => id === choiceId);
        scene = scenes.find(({ id }) => id === scene.choices[index].to);
        return toDigit(index);
      })
      .join('');
  }

  function decodeAnswer({ kind, answers, scenes }, text) {
    const places = [...text].map((digit) => parseInt(digit, 36));
    if (kind !== 'scenario') {
      const ids = places.flatMap((place) => answers[place]?.id ?? []);
      return ids.length > 0 ? ids : undefined;
    }
    let scene = scenes[0];
    return places.flatMap((place) => {
      const choice = scene?.choices[place];
      scene = scenes.find(({ id }) => id === choice?.to);
      return choice?.id ?? [];
    });
  }

  function toDigit(place) {
    return place.toString(36);
  }
};
