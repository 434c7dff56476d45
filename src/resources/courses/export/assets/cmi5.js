// Connects an exported course to a learning system over cmi5. The course's URL contains the URL of the learning record
// store, and a one-time URL that returns the access token. The state `progress` holds the attempt. Requests are sent
// one after another, in the order of the learner's steps.
globalThis.courseConnection = (() => {
  const parameters = new URLSearchParams(location.search);
  const CMI5 = 'https://w3id.org/xapi/cmi5/context/categories/cmi5';
  const MOVE_ON = 'https://w3id.org/xapi/cmi5/context/categories/moveon';
  const MASTERY = 'https://w3id.org/xapi/cmi5/context/extensions/masteryscore';
  const VERBS = 'http://adlnet.gov/expapi/verbs/';
  const STATE = 'progress';
  const TRIES = 3;
  const { toPercent } = globalThis.courseGrading;
  const openedAt = Date.now();
  let actor;
  let token;
  let launch;
  let hasReported = false;
  let isClosed = false;
  let last = Promise.resolve();

  /** Fetches the token. The URL works only once, so a reloaded page uses the token that it has stored. */
  async function fetchToken() {
    const address = parameters.get('fetch');
    const answer = await (await fetch(address, { method: 'POST' })).json();
    const found = answer['auth-token'] ?? readStored(address);
    if (found === undefined) throw new Error(answer['error-text'] ?? 'The learning system has sent no token.');
    try {
      sessionStorage.setItem(address, found);
    } catch {
      // Storage is blocked, so reloading the page will fail.
    }
    return found;
  }

  function readStored(address) {
    try {
      return sessionStorage.getItem(address) ?? undefined;
    } catch {
      return undefined;
    }
  }

  function request(path, query, { method = 'GET', body, keepalive = false } = {}) {
    const endpoint = parameters.get('endpoint').replace(/\/?$/, '/');
    const url = new URL(path, endpoint);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = { Authorization: `Basic ${token}`, 'X-Experience-API-Version': '1.0.3' };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    return fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), keepalive });
  }

  const ofState = (stateId) => ({
    ...{ stateId, activityId: parameters.get('activityId'), registration: parameters.get('registration') },
    agent: JSON.stringify(actor),
  });

  async function read(path, query) {
    const response = await request(path, query);
    return response.ok ? await response.json() : undefined;
  }

  /** Sends a request after the earlier requests, and again if it fails. */
  function queue(path, query, options) {
    last = last.then(async () => {
      for (let number = 1; number <= TRIES; number += 1) {
        const response = await request(path, query, options).catch(() => undefined);
        if (response?.ok) return connection.onFault?.(false);
        if (response && response.status < 500) break;
        await new Promise((resolve) => setTimeout(resolve, number * 500));
      }
      return connection.onFault?.(true);
    });
    return last;
  }

  function toStatement(verb, { result, categories = [CMI5], extensions = {}, object } = {}) {
    const template = launch.contextTemplate ?? {};
    const activities = template.contextActivities ?? {};
    return {
      id: createId(),
      actor,
      verb: { id: VERBS + verb, display: { en: verb } },
      object: object ?? { objectType: 'Activity', id: parameters.get('activityId') },
      ...(result && { result }),
      context: {
        ...template,
        registration: parameters.get('registration'),
        contextActivities: {
          ...activities,
          category: [...(activities.category ?? []), ...categories.map((id) => ({ id }))],
        },
        extensions: { ...template.extensions, ...extensions },
      },
      timestamp: new Date().toISOString(),
    };
  }

  /** Returns a UUID. `crypto.randomUUID` exists only over HTTPS. */
  function createId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
  }

  const duration = () => `PT${((Date.now() - openedAt) / 1000).toFixed(2)}S`;
  const isNormal = () => (launch?.launchMode ?? 'Normal') === 'Normal';
  const send = (body) => queue('statements', {}, { method: 'POST', body, keepalive: true });

  const connection = {
    onFault: undefined,
    leave: undefined,
    hasReported: () => hasReported,

    async open() {
      if (!parameters.has('endpoint') || !parameters.has('fetch')) return { isConnected: false };
      try {
        actor = JSON.parse(parameters.get('actor'));
        token = await fetchToken();
        launch = (await read('activities/state', ofState('LMS.LaunchData'))) ?? {};
        const profile = await read('agents/profile', {
          profileId: 'cmi5LearnerPreferences',
          agent: JSON.stringify(actor),
        });
        const state = await read('activities/state', ofState(STATE));
        await send(toStatement('initialized'));
        if (launch.returnURL) connection.leave = leave;
        const passMark = typeof launch.masteryScore === 'number' ? toPercent(launch.masteryScore) : undefined;
        return { isConnected: true, state: state?.text, language: profile?.languagePreference, passMark };
      } catch (error) {
        console.error(error);
        launch = undefined;
        return { isConnected: false };
      }
    },

    save(text) {
      if (launch && isNormal()) void queue('activities/state', ofState(STATE), { method: 'PUT', body: { text } });
    },

    answer({ question, given, isRight, text, language: spoken }) {
      if (!launch || !isNormal()) return;
      const id = `${parameters.get('activityId')}${parameters.get('activityId').includes('#') ? '/' : '#'}${question.id}`;
      const type = 'http://adlnet.gov/expapi/activities/cmi.interaction';
      const isScenario = question.kind === 'scenario';
      const definition = {
        ...{ type, name: { [spoken]: text }, interactionType: isScenario ? 'other' : 'choice' },
        ...(!isScenario && { choices: question.answers.map((answer) => ({ id: answer.id, description: {} })) }),
      };
      const object = { objectType: 'Activity', id, definition };
      const response = given.join(isScenario ? '.' : '[,]');
      void send(toStatement('answered', { object, categories: [], result: { response, success: isRight } }));
    },

    finish({ score, passed, isFirst }, text) {
      if (!launch) return;
      hasReported = true;
      connection.save(text);
      if (!isNormal()) return;
      const categories = [CMI5, MOVE_ON];
      const completed = toStatement('completed', { categories, result: { completion: true, duration: duration() } });
      const scaled =
        score === undefined
          ? {}
          : { score: { scaled: Math.round(score * 100) / 10_000, raw: score, min: 0, max: 100 } };
      const result = { success: passed, ...scaled, duration: duration() };
      const extensions = typeof launch.masteryScore === 'number' ? { [MASTERY]: launch.masteryScore } : {};
      const judged = toStatement(passed ? 'passed' : 'failed', { categories, result, extensions });
      // A registration has at most one completion, however often the learner tries.
      void send(isFirst ? [completed, judged] : [judged]);
    },

    restart() {},

    close() {
      if (isClosed || !launch) return;
      isClosed = true;
      // Does not wait for earlier requests, because the page is about to close.
      const body = toStatement('terminated', { result: { duration: duration() } });
      void request('statements', {}, { method: 'POST', body, keepalive: true });
    },
  };

  /** Ends the session and returns to the learning system. */
  async function leave() {
    if (isClosed) return;
    isClosed = true;
    await send(toStatement('terminated', { result: { duration: duration() } }));
    location.assign(launch.returnURL);
  }

  return connection;
})();
