// The player of an exported course. One page shows the start, a step, or the result. `scorm.js` or `cmi5.js` connects
// it to the learning system, and stores the attempt after each step.
void (async () => {
  const { el, fill, block, button, renderQuestion, renderAnswered } = globalThis.courseViews;
  const { followPath } = globalThis.courseGrading;
  const { course, courseConnection: connection } = globalThis;
  const begin = globalThis.createAttempt(course);
  const main = document.querySelector('main');

  const opened = await connection.open(course);
  let attempt = begin(opened.state);
  let language = pickLanguage(attempt.language ?? opened.language);
  let isFailing = false;
  const passMark = opened.passMark ?? course.passMark;
  connection.onFault = (isFault) => {
    isFailing = isFault;
    document.querySelector('#fault').hidden = !isFault;
  };
  window.addEventListener('pagehide', () => connection.close());
  if (attempt.result) showResult();
  else showStart();

  function pickLanguage(preferred) {
    const wanted = [preferred, ...navigator.languages].map((name) =>
      String(name ?? '')
        .slice(0, 2)
        .toLowerCase(),
    );
    return wanted.find((name) => name in course.texts) ?? Object.keys(course.texts)[0];
  }

  /** Replaces the content of the page. Screen readers continue at the heading, because the focus moves there. */
  function show(title, ...content) {
    const { name, messages } = course.texts[language];
    const heading = el('h1', { tabindex: '-1' }, title);
    const fault = el('p', { id: 'fault', class: 'fault', role: 'alert', hidden: !isFailing }, messages.notSaved);
    main.replaceChildren(
      ...[
        opened.isConnected === false && el('p', { class: 'note' }, messages.notConnected),
        fault,
        heading,
        ...content.flat(),
      ].filter((node) => node),
    );
    document.documentElement.lang = language;
    document.title = title === name ? name : `${title} – ${name}`;
    heading.focus();
    window.scrollTo(0, 0);
  }

  function showStart() {
    const { name, summary, messages } = course.texts[language];
    const place = attempt.firstOpen();
    const count = attempt.steps.filter((_, index) => attempt.isDone(index)).length;
    const facts = fill(messages.facts, { minutes: course.minutes, passMark });
    show(
      name,
      el('p', {}, summary),
      languageLinks(showStart),
      el('p', { class: 'hint' }, facts),
      count > 0 && el('p', {}, fill(messages.underWay, { done: count, total: attempt.steps.length })),
      el(
        'p',
        {},
        button(count > 0 ? messages.goOn : messages.begin, () => showStep(Math.min(place, attempt.steps.length - 1))),
      ),
    );
  }

  function languageLinks(again) {
    const names = Object.keys(course.texts);
    if (names.length < 2) return undefined;
    const link = (name) => {
      const chosen = button(course.languageNames[name], () => choose(name), 'quiet');
      chosen.lang = name;
      if (name === language) chosen.setAttribute('aria-current', 'true');
      return chosen;
    };
    const choose = (name) => {
      language = name;
      save();
      again();
    };
    return el('nav', { 'aria-label': course.texts[language].messages.language }, names.map(link));
  }

  function save() {
    attempt.language = language;
    const done = attempt.steps.filter((_, index) => attempt.isDone(index)).length;
    connection.save(attempt.toText(), done / attempt.steps.length);
  }

  /** @param missing ids of the questions that the learner left out */
  function showStep(place, missing = [], marked = {}) {
    const { name, lessons, questions, messages } = course.texts[language];
    const step = attempt.steps[place];
    const lesson = step.lesson && lessons[step.lesson];
    const isDone = attempt.isDone(place);
    const before = attempt.steps.slice(0, place).reduce((sum, one) => sum + one.questions.length, 0);
    const title = lesson ? lesson.title : fill(messages.question, { number: before + 1 });
    const isOver = isDone || attempt.result !== undefined;
    const views = step.questions.map((question, index) => ({
      ...{ question, messages, text: questions[question.key], isMissing: missing.includes(question.id) },
      given: isDone ? attempt.givenTo(place, index) : marked[question.id],
      path: attempt.givenTo(place, index) ?? [],
      isRight: attempt.verdict(place, index),
    }));
    const isLast = place + 1 === attempt.steps.length;
    const onwards = isLast ? button(messages.toResult, finish) : button(messages.next, () => showStep(place + 1));
    const send = button(step.questions.length > 0 ? messages.answer : messages.next, () => sendStep(place));
    show(
      title,
      el(
        'p',
        { class: 'hint' },
        `${name} · ${fill(messages.steps, { place: place + 1, total: attempt.steps.length })}`,
      ),
      lesson && block(lesson.html),
      views.map((view) => (isOver ? renderAnswered(view) : renderQuestion(view))).flat(),
      el('p', {}, isOver ? onwards : send),
      place > 0 &&
        el(
          'p',
          {},
          button(messages.back, () => showStep(place - 1), 'quiet'),
        ),
    );
  }

  function sendStep(place) {
    const { questions } = attempt.steps[place];
    const marked = Object.fromEntries(questions.map(({ id }) => [id, readMarked(id)]));
    const missing = questions.filter((question) => !isComplete(question, marked[question.id])).map(({ id }) => id);
    if (missing.length > 0) {
      showStep(place, missing, marked);
      // Moves the focus, so that screen readers announce the fault first; the rest of the page is unchanged.
      main.querySelector('input')?.focus();
      return;
    }
    const answers = questions.map((question, index) => {
      if (question.kind !== 'scenario') return marked[question.id];
      return followPath(question.scenes, [...(attempt.givenTo(place, index) ?? []), ...marked[question.id]]).path;
    });
    attempt.answer(place, answers);
    if (attempt.isDone(place)) report(place);
    save();
    if (questions.length > 0) showStep(place);
    else if (place + 1 === attempt.steps.length) finish();
    else showStep(place + 1);
  }

  function readMarked(id) {
    return [...main.querySelectorAll('input:checked')].filter((input) => input.name === id).map(({ value }) => value);
  }

  /**
   * Reports whether an answer can be judged. At least one answer must be chosen. For an email, parts and "harmless"
   * exclude each other.
   */
  function isComplete({ kind }, given) {
    return given.length > 0 && (kind !== 'mail' || given.length === 1 || !given.includes('harmless'));
  }

  function report(place) {
    attempt.steps[place].questions.forEach((question, index) => {
      const given = attempt.givenTo(place, index);
      const html = course.texts[language].questions[question.key].askHtml;
      const text = el('span', { html }).textContent;
      connection.answer({ question, given, isRight: attempt.verdict(place, index), text, language });
    });
  }

  function finish() {
    const open = attempt.firstOpen();
    if (!attempt.result && open < attempt.steps.length) return showStep(open);
    if (!attempt.result) {
      const score = attempt.score();
      const passed = score === undefined || score >= passMark;
      const isFirst = !attempt.isCompleted;
      Object.assign(attempt, { result: { score, passed }, isCompleted: true });
      attempt.language = language;
      connection.finish({ score, passed, isFirst }, attempt.toText());
    }
    return showResult();
  }

  function showResult() {
    const { name, messages } = course.texts[language];
    const { score, passed } = attempt.result;
    const text = score === undefined ? messages.finished : passed ? messages.passed : messages.failed;
    const shown =
      score === undefined ? '' : new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(score);
    const again = () => {
      const { isCompleted } = attempt;
      attempt = begin(undefined);
      attempt.isCompleted = isCompleted;
      connection.restart();
      save();
      showStart();
    };
    show(
      name,
      el('p', { class: 'note' }, el('strong', { class: passed ? 'good' : '' }, fill(text, { score: shown, passMark }))),
      languageLinks(showResult),
      !passed &&
        (connection.hasReported() ? el('p', {}, messages.againLater) : el('p', {}, button(messages.again, again))),
      el(
        'p',
        {},
        button(messages.readAgain, () => showStep(0), 'quiet'),
      ),
      connection.leave
        ? el(
            'p',
            {},
            button(messages.leave, () => connection.leave()),
          )
        : opened.isConnected && el('p', {}, messages.closeNow),
    );
  }
})();
