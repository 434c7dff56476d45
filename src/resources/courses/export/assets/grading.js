// The rules of an exported course in the learner's browser: which questions an attempt includes, which answers are
// correct, and how the score is computed. They must match `progress-rules.ts` and `scenario.ts`;
// `tests/rules/export-grading.test.ts` compares them.
globalThis.courseGrading = (() => {
  /** Returns the scene that a path of choices reaches, and the path without its detours. */
  function followPath(scenes, path) {
    const visited = [{ scene: scenes[0], path: [] }];
    for (const choiceId of path) {
      const before = visited.at(-1);
      const to = before.scene.choices.find(({ id }) => id === choiceId)?.to;
      const scene = scenes.find(({ id }) => id === to);
      if (!scene) return undefined;
      const earlier = visited.findIndex((position) => position.scene.id === to);
      if (earlier >= 0) visited.length = earlier + 1;
      else visited.push({ scene, path: [...before.path, choiceId] });
    }
    return visited.at(-1);
  }

  function findEnd(scenes, path) {
    return followPath(scenes, path)?.scene.end ?? null;
  }

  /** @param given ids of the chosen answers, or the path through a scenario; undefined if there are none */
  function isAnswered({ kind, scenes }, given) {
    return given !== undefined && (kind !== 'scenario' || findEnd(scenes, given) !== null);
  }

  function isRight({ kind, answers, scenes, atLeast }, given) {
    if (kind === 'scenario') return findEnd(scenes, given) === 'good';
    const rights = answers.filter(({ right }) => right);
    const found = rights.filter(({ id }) => given.includes(id));
    const hasWrong = answers.some(({ id, right }) => !right && given.includes(id));
    return !hasWrong && found.length >= (atLeast ?? rights.length);
  }

  /** Returns the score in percent with two decimals; undefined if there are no questions. */
  function toScore(questions, givenOf) {
    if (questions.length === 0) return undefined;
    const right = questions.filter((question) => isRight(question, givenOf(question) ?? []));
    return Math.round((right.length / questions.length) * 10_000) / 100;
  }

  /** Converts a pass mark between 0 and 1 to percent. Rounds, because 0.55 * 100 yields more than 55. */
  function toPercent(scaled) {
    return Math.round(scaled * 1_000_000) / 10_000;
  }

  /** Draws the steps of an attempt: only some of each pool, in an order that depends on the seed. */
  function drawSteps(steps, seed) {
    const random = createRandom(seed);
    const drawn = new Set();
    return steps.flatMap((step) => {
      if (!step.pool) return [step];
      if (drawn.has(step.pool.name)) return [];
      drawn.add(step.pool.name);
      const ofPool = steps.filter(({ pool }) => pool?.name === step.pool.name);
      return shuffle(ofPool, random)
        .slice(0, step.pool.draw)
        .map((one) => ({
          ...one,
          questions: one.questions.map((question) => ({ ...question, answers: shuffle(question.answers, random) })),
        }));
    });
  }

  function shuffle(items, random) {
    return items
      .map((item) => ({ item, rank: random() }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
  }

  /** Returns a generator of numbers from 0 to 1 that yields the same sequence for the same seed (xorshift32). */
  function createRandom(seed) {
    let value = seed >>> 0 || 1;
    return () => {
      value ^= value << 13;
      value ^= value >>> 17;
      value ^= value << 5;
      return (value >>> 0) / 2 ** 32;
    };
  }

  return { followPath, findEnd, isAnswered, isRight, toScore, toPercent, drawSteps };
})();
