// Connects an exported course to a learning system through the API of SCORM 1.2 or SCORM 2004. The learning system
// decides when a new attempt begins, so the course reports one result each time it is opened.
globalThis.courseConnection = (() => {
  const is2004 = document.documentElement.dataset.format === 'scorm_2004';
  const { toPercent } = globalThis.courseGrading;
  const openedAt = Date.now();
  let api;
  let count = 0;
  let hasReported = false;
  let isClosed = false;

  /** Finds the API in this window, its ancestors, or the windows that opened them and their ancestors. */
  function findApi() {
    const name = is2004 ? 'API_1484_11' : 'API';
    for (const first of [window, window.opener]) {
      try {
        for (let at = first, hops = 0; at && hops < 100; at = at === at.parent ? at.opener : at.parent, hops += 1) {
          if (at[name]) return at[name];
        }
      } catch {
        // The window has another origin.
      }
    }
    return undefined;
  }

  /**
   * Calls the API. Catches errors, because many learning systems throw when they are offline or the session has
   * expired.
   */
  const call = (name, ...values) => {
    try {
      return api?.[is2004 ? name : OLD_NAMES[name]]?.(...values);
    } catch (error) {
      console.error(error);
      return name === 'GetValue' ? '' : 'false';
    }
  };
  const OLD_NAMES = {
    Initialize: 'LMSInitialize',
    GetValue: 'LMSGetValue',
    SetValue: 'LMSSetValue',
    Commit: 'LMSCommit',
    Terminate: 'LMSFinish',
  };
  const get = (modern, old) => String(call('GetValue', is2004 ? modern : old) ?? '');
  const set = (modern, old, value) => {
    const name = is2004 ? modern : old;
    return name === undefined || String(call('SetValue', name, String(value))) === 'true';
  };
  const commit = () => {
    const isStored = String(call('Commit', '')) === 'true';
    if (api) connection.onFault?.(!isStored);
  };

  const connection = {
    onFault: undefined,
    hasReported: () => hasReported,

    async open() {
      api = findApi();
      if (!api || String(call('Initialize', '')) === 'false') return { isConnected: false };
      const status = get('cmi.completion_status', 'cmi.core.lesson_status');
      if (['unknown', 'not attempted', ''].includes(status)) {
        set('cmi.completion_status', 'cmi.core.lesson_status', 'incomplete');
      }
      const state = get('cmi.suspend_data', 'cmi.suspend_data');
      set('cmi.exit', 'cmi.core.exit', 'suspend');
      count = Number(get('cmi.interactions._count', 'cmi.interactions._count')) || 0;
      const scaled = is2004 ? parseFloat(get('cmi.scaled_passing_score')) : NaN;
      return {
        ...{ isConnected: true, state, passMark: Number.isNaN(scaled) ? undefined : toPercent(scaled) },
        language: get('cmi.learner_preference.language', 'cmi.student_preference.language'),
      };
    },

    save(state, progress) {
      set('cmi.suspend_data', 'cmi.suspend_data', state);
      set('cmi.progress_measure', undefined, progress.toFixed(4));
      commit();
    },

    answer({ question, given, isRight, text }) {
      const field = (modern, old, value) =>
        set(`cmi.interactions.${count}.${modern}`, old && `cmi.interactions.${count}.${old}`, value);
      const { id, kind, answers, atLeast } = question;
      const isScenario = kind === 'scenario';
      // In SCORM 1.2, an answer is a single character.
      const toIds = (ids) =>
        is2004
          ? ids.join('[,]')
          : ids.map((one) => answers.findIndex((answer) => answer.id === one).toString(36)).join(',');
      field('id', 'id', id);
      field('type', 'type', isScenario ? (is2004 ? 'other' : 'fill-in') : 'choice');
      field('description', undefined, text.slice(0, 250));
      field('timestamp', undefined, new Date().toISOString().replace(/\.\d+Z$/, 'Z'));
      if (!isScenario && atLeast === null) {
        const rights = answers.filter(({ right }) => right).map((answer) => answer.id);
        field('correct_responses.0.pattern', 'correct_responses.0.pattern', toIds(rights));
      }
      field('learner_response', 'student_response', isScenario ? given.join('.') : toIds(given));
      field('result', 'result', isRight ? 'correct' : is2004 ? 'incorrect' : 'wrong');
      count += 1;
    },

    finish({ score, passed }, state) {
      if (score !== undefined) {
        set('cmi.score.scaled', undefined, (score / 100).toFixed(4));
        for (const [part, value] of Object.entries({ raw: score, min: 0, max: 100 })) {
          set(`cmi.score.${part}`, `cmi.core.score.${part}`, value);
        }
      }
      set('cmi.progress_measure', undefined, '1');
      set('cmi.completion_status', undefined, 'completed');
      set('cmi.success_status', 'cmi.core.lesson_status', passed ? 'passed' : 'failed');
      set('cmi.suspend_data', 'cmi.suspend_data', state);
      set('cmi.exit', 'cmi.core.exit', is2004 ? 'normal' : '');
      hasReported = true;
      commit();
    },

    restart() {
      set('cmi.completion_status', 'cmi.core.lesson_status', 'incomplete');
      set('cmi.success_status', undefined, 'unknown');
    },

    close() {
      if (isClosed || !api) return;
      isClosed = true;
      const seconds = Math.round((Date.now() - openedAt) / 1000);
      const two = (value) => String(value).padStart(2, '0');
      const clock = `${String(Math.floor(seconds / 3600)).padStart(4, '0')}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
      set('cmi.session_time', 'cmi.core.session_time', is2004 ? `PT${seconds}S` : clock);
      call('Commit', '');
      call('Terminate', '');
    },
  };
  return connection;
})();
