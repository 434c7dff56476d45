// The SCORM runtime of a package: receives the calls of the package's frame, and sends the state to the service.
const place = document.querySelector('iframe');
// A window gets the name that its frame had when it was created; the name passes the stored values to package-client.js.
const frame = place.cloneNode();
const status = document.querySelector('[role=status]');
const { standard, runtime, listener, keep, formToken, launch, learnerId, learnerName, state, saved, stale, failed } =
  place.dataset;
const sco = JSON.parse(place.dataset.sco);
const is2004 = standard === 'scorm_2004';

/** SCORM's data model elements, by the names of the stored fields. */
const ELEMENTS = is2004
  ? {
      ...{ location: 'cmi.location', suspendData: 'cmi.suspend_data', status: 'cmi.completion_status' },
      ...{ success: 'cmi.success_status', scaled: 'cmi.score.scaled', totalTime: 'cmi.total_time' },
      ...{ raw: 'cmi.score.raw', min: 'cmi.score.min', max: 'cmi.score.max' },
    }
  : {
      ...{ location: 'cmi.core.lesson_location', suspendData: 'cmi.suspend_data', status: 'cmi.core.lesson_status' },
      ...{ raw: 'cmi.core.score.raw', min: 'cmi.core.score.min', max: 'cmi.core.score.max' },
      totalTime: 'cmi.core.total_time',
    };
const EXIT = is2004 ? 'cmi.exit' : 'cmi.core.exit';
const KEEP_AFTER_MS = 2000;
const RETRY_AFTER_MS = 5000;

// Ignores messages from other windows and frames. Registered before the library's listener, which accepts every
// message.
addEventListener('message', (event) => {
  if (!isInside(event.source)) event.stopImmediatePropagation();
});

const { Scorm12API, Scorm2004API } = await import(runtime);
const { CrossFrameLMS } = await import(listener);
const api = new (is2004 ? Scorm2004API : Scorm12API)({ autocommit: false, mastery_override: false });
api.loadFromFlattenedJSON(toElements(JSON.parse(state)), '');
// The sandboxed frame has an opaque origin, so `*` is the only target that reaches it.
new CrossFrameLMS(api, '*', { rateLimit: 1000 });

let timer;
let last = '';
// The stored exit applies until the package sets another one.
let { exit = '' } = JSON.parse(state);
// Serialises requests, so that an older state never overwrites a newer one.
let sending = Promise.resolve();
let leaving = new AbortController();
let isOver = false;
const prefix = is2004 ? '' : 'LMS';
api.on(`${prefix}SetValue.cmi.*`, () => {
  timer ??= setTimeout(() => sendNext(false), KEEP_AFTER_MS);
});
api.on(`${prefix}Commit`, () => sendNext(false));
api.on(is2004 ? 'Terminate' : 'LMSFinish', () => {
  exit = '';
  sendNext(true);
});
// The browser does not wait for requests in progress when a page is left, so the state is sent once more.
addEventListener('pagehide', () => {
  leaving.abort();
  leaving = new AbortController();
  send(true);
});

frame.name = JSON.stringify(api.getFlattenedCMI());
frame.src = launch;
place.replaceWith(frame);

function isInside(source) {
  for (let at = source; at && at !== window; at = at.parent) {
    if (at === frame.contentWindow) return true;
    if (at === at.parent) return false;
  }
  return false;
}

function toElements(kept) {
  const entries = Object.entries(ELEMENTS).map(([name, element]) => [element, kept[name]]);
  const own = is2004
    ? { 'cmi.learner_id': learnerId, 'cmi.learner_name': learnerName, 'cmi.entry': getEntry(kept) }
    : { 'cmi.core.student_id': learnerId, 'cmi.core.student_name': learnerName, 'cmi.core.entry': getEntry(kept) };
  const ofManifest = Object.entries(toManifestElements()).filter(([, value]) => (value ?? '') !== '');
  const values = [...ofManifest.map(([name, value]) => [name, String(value)]), ...entries.filter(([, value]) => value)];
  return { ...own, ...Object.fromEntries(values) };
}

/** Returns the elements that the package reads from its manifest. */
function toManifestElements() {
  const { launchData, masteryScore, maxTimeAllowed, timeLimitAction, completionThreshold, scaledPassingScore } = sco;
  if (!is2004)
    return {
      ...{ 'cmi.launch_data': launchData, 'cmi.student_data.mastery_score': masteryScore },
      'cmi.student_data.max_time_allowed': maxTimeAllowed,
      'cmi.student_data.time_limit_action': timeLimitAction,
    };
  return {
    ...{ 'cmi.launch_data': launchData, 'cmi.max_time_allowed': maxTimeAllowed },
    ...{ 'cmi.time_limit_action': timeLimitAction, 'cmi.completion_threshold': completionThreshold },
    'cmi.scaled_passing_score': scaledPassingScore,
  };
}

function getEntry({ location, suspendData }) {
  return location || suspendData ? 'resume' : 'ab-initio';
}

function stateNow() {
  const all = api.getFlattenedCMI();
  const entries = Object.entries(ELEMENTS).map(([name, element]) => [name, String(all[element] ?? '')]);
  return { ...Object.fromEntries(entries), exit: all[EXIT] || exit, totalTime: api.cmi.getCurrentTotalTime() };
}

function sendNext(isEnded) {
  sending = sending.then(() => send(isEnded));
}

async function send(isEnded) {
  clearTimeout(timer);
  timer = undefined;
  const body = JSON.stringify({ ...stateNow(), isEnded });
  if (isOver || body === last) return;
  last = body;
  try {
    // Browsers allow 64 KiB of requests that outlive their page.
    const keepalive = new Blob([body]).size < 60_000;
    const headers = { 'Content-Type': 'application/json', 'X-Form-Token': formToken };
    const { signal } = leaving;
    const answer = await fetch(keep, { method: 'POST', body, headers, keepalive, signal });
    if (answer.status === 409) end(stale);
    else if (!answer.ok) throw new Error(`The service answered ${answer.status}`);
    else if ((await answer.json()).isFinished) end(saved);
    else status.textContent = '';
  } catch {
    last = '';
    status.textContent = failed;
    timer ??= setTimeout(() => sendNext(isEnded), RETRY_AFTER_MS);
  }
}

function end(text) {
  isOver = true;
  status.textContent = text;
}
