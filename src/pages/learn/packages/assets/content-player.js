// The SCORM runtime of a package on the content host: the window above the package, where it finds the API. Calls are
// synchronous. The state is sent to the URL of this page. For the guarantees, see content-host.ts.
//
// The package has the same origin, so it can read and change everything here. Nothing here is secret from it, and the
// service validates every report.
const { standard, runtime, launch, learnerId, learnerName, mode, service, title, item, kind } = document.body.dataset;
const stored = JSON.parse(document.body.dataset.state);
const sco = JSON.parse(document.body.dataset.sco ?? '{}');
const is2004 = standard === 'scorm_2004';
const prefix = is2004 ? '' : 'LMS';

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
/** Elements that the field `elements` stores. */
const OTHERS =
  /^cmi\.(objectives|interactions|comments|comments_from_learner|student_preference|learner_preference|progress_measure)\b/;
const EXIT = is2004 ? 'cmi.exit' : 'cmi.core.exit';
/** Maximum length of the field `elements` that the service accepts, in characters. */
const MAX_ELEMENTS = 256_000;
const REPORT_AFTER_MS = 2000;
const COMMIT_AFTER_MS = 1000;
const RETRY_AFTER_MS = 5000;
/** Browsers allow 64 KiB of requests that outlive their page. */
const MAX_KEEPALIVE_BYTES = 60_000;

/** Statuses after which the service accepts no more reports of this window. */
const ENDINGS = { 404: 'expired', 409: 'stale' };
/** Response statuses after which a repeated report would be refused again. */
const REFUSALS = new Set([400, 413]);

// content-client.js removes them from the package's pages, which could otherwise take them from this window.
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport'])
  delete window[name];
const library = await import(runtime);
const Runtime = is2004 ? library.Scorm2004API : library.Scorm12API;
const api = new Runtime({ autocommit: false, mastery_override: true, logLevel: 5 });
api.loadFromFlattenedJSON(toElements(), '');

let timer;
let dueAt = Infinity;
let sentAt = -Infinity;
// The stored exit applies until the package sets another one.
let { exit = '' } = stored;
let number = Number(document.body.dataset.number);
/** Fields with the values that the service has confirmed. A report leaves out unchanged fields. */
let confirmed = {};
// Serialises reports, so that an older state never overwrites a newer one.
let sending = Promise.resolve();
let leaving = new AbortController();
// A handout reports nothing.
let isOver = mode !== 'normal' || kind === 'handout';
let hasFinished = false;
// Many packages never finish. Leaving the page ends the package, and the service reads its result.
let isLeft = false;
let isEndConfirmed = false;

api.on(`${prefix}SetValue.cmi.*`, () => schedule(REPORT_AFTER_MS));
api.on(`${prefix}Commit`, () => schedule(COMMIT_AFTER_MS));
api.on(is2004 ? 'Terminate' : 'LMSFinish', () => {
  exit = '';
  hasFinished = true;
  enqueue();
});
const commit = api[`${prefix}Commit`].bind(api);
api[`${prefix}Commit`] = (parameter) => (isOver && mode === 'normal' && !hasFinished ? 'false' : commit(parameter));
// The browser does not wait for requests in progress when a page is left, so the state is sent once more. Removing the
// frame runs the unload handlers of the package first, in which many packages suspend and finish.
addEventListener('pagehide', () => {
  frame.remove();
  isLeft = true;
  leaving.abort();
  leaving = new AbortController();
  report(true);
});
// The browser can show the page again from its cache, without the removed frame.
addEventListener('pageshow', (event) => event.persisted && location.reload());
if (kind === 'sco') window[is2004 ? 'API_1484_11' : 'API'] = api;

const frame = document.createElement('iframe');
frame.title = title;
frame.allow = 'fullscreen; autoplay; unload';
frame.allowFullscreen = true;
frame.src = launch;
document.body.append(frame);
setUpMenu();

/** Returns the elements that the package reads first. Elements that the manifest does not set are absent. */
function toElements() {
  const names = is2004
    ? { 'cmi.learner_id': learnerId, 'cmi.learner_name': learnerName, 'cmi.entry': getEntry() }
    : { 'cmi.core.student_id': learnerId, 'cmi.core.student_name': learnerName, 'cmi.core.entry': getEntry() };
  const credit = mode === 'normal' ? 'credit' : 'no-credit';
  const modes = is2004
    ? { 'cmi.credit': credit, 'cmi.mode': mode }
    : { 'cmi.core.credit': credit, 'cmi.core.lesson_mode': mode };
  const manifest = is2004
    ? {
        'cmi.launch_data': sco.launchData,
        'cmi.scaled_passing_score': sco.scaledPassingScore,
        'cmi.completion_threshold': sco.completionThreshold,
        'cmi.max_time_allowed': sco.maxTimeAllowed,
        'cmi.time_limit_action': sco.timeLimitAction,
      }
    : {
        'cmi.launch_data': sco.launchData,
        'cmi.student_data.mastery_score': sco.masteryScore,
        'cmi.student_data.max_time_allowed': sco.maxTimeAllowed,
        'cmi.student_data.time_limit_action': sco.timeLimitAction,
      };
  const core = Object.fromEntries(Object.entries(ELEMENTS).map(([name, element]) => [element, stored[name]]));
  const kept = stored.elements ? JSON.parse(stored.elements) : Object.fromEntries(listObjectives());
  const none = is2004 ? {} : { 'cmi.core.total_time': stored.totalTime || '0000:00:00.00' };
  const all = { ...names, ...modes, ...manifest, ...core, ...none, ...kept };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([element, value]) => [element, String(value)]),
  );
}

/** Lets the menu open another item once the package has left the current item and its last report is stored. */
function setUpMenu() {
  const menu = document.querySelector('nav');
  if (!menu) return;
  const details = menu.querySelector('details');
  const isWide = matchMedia('(min-width: 60rem)');
  const toggle = () => (details.open = isWide.matches);
  isWide.addEventListener('change', toggle);
  toggle();
  menu.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-item]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void openItem(link.href);
  });
  // SCORM 2004: the package asks for another item when it ends. Its sequencing rules are not evaluated.
  const links = [...menu.querySelectorAll('a[data-item]')];
  const at = links.findIndex((link) => link.dataset.item === item);
  const steps = { SequenceNext: at + 1, SequencePrevious: at - 1 };
  for (const [event, index] of Object.entries(steps))
    if (is2004) api.on(event, () => links[index] && void openItem(links[index].href));
}

async function openItem(address) {
  const left = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = 'about:blank';
  await left;
  isLeft = true;
  enqueue();
  await sending;
  location.replace(address);
}

function listObjectives() {
  return (sco.objectives ?? []).map((id, index) => [`cmi.objectives.${index}.id`, id]);
}

function getEntry() {
  const { location, suspendData, status } = stored;
  if (stored.exit === 'suspend' || stored.exit === 'logout' || location || suspendData) return 'resume';
  return status ? '' : 'ab-initio';
}

function readState() {
  const all = api.getFlattenedCMI();
  const fields = Object.entries(ELEMENTS).map(([name, element]) => [name, String(all[element] ?? '')]);
  return {
    ...Object.fromEntries(fields),
    exit: all[EXIT] || exit,
    totalTime: api.cmi.getCurrentTotalTime(),
    elements: toJson(all),
  };
}

/** Writes the other elements as JSON, without the oldest interactions if it would be too long. */
function toJson(all) {
  const others = Object.entries(all).filter(
    ([element, value]) => typeof value === 'string' && value !== '' && OTHERS.test(element),
  );
  let text = JSON.stringify(Object.fromEntries(others));
  for (let dropped = 1; text.length > MAX_ELEMENTS; dropped *= 2) {
    const kept = others.flatMap(([element, value]) => {
      const [, index] = /^cmi\.interactions\.(\d+)\./.exec(element) ?? [];
      if (index === undefined) return [[element, value]];
      if (Number(index) < dropped) return [];
      return [[element.replace(index, String(Number(index) - dropped)), value]];
    });
    text = JSON.stringify(Object.fromEntries(kept));
    if (dropped > others.length) return text.length > MAX_ELEMENTS ? '' : text;
  }
  return text;
}

/**
 * Schedules a report after a delay, unless an earlier one is already scheduled. At most one report is sent per
 * `COMMIT_AFTER_MS`.
 */
function schedule(delay) {
  if (isOver) return;
  const at = Math.max(performance.now() + (delay === COMMIT_AFTER_MS ? 0 : delay), sentAt + COMMIT_AFTER_MS);
  if (at >= dueAt) return;
  clearTimeout(timer);
  dueAt = at;
  timer = setTimeout(enqueue, at - performance.now());
}

function enqueue() {
  clearTimeout(timer);
  dueAt = Infinity;
  sending = sending.then(() => report(false));
}

async function report(isLeaving) {
  const state = readState();
  const changed = Object.entries(state).filter(([field, value]) => value !== confirmed[field]);
  const isEnded = (hasFinished || isLeft) && !isEndConfirmed;
  if (isOver || (changed.every(([field]) => field === 'totalTime') && !isEnded)) return;
  sentAt = performance.now();
  try {
    // The parts have different fields but the same number, because the service ignores a report that arrives after a
    // newer one.
    number += 1;
    // Small fields first: their request outlives the page, and a large one might not.
    const parts = isLeaving ? splitBySize(changed) : [changed];
    const isLate = needsSuspendData(state);
    const answers = await Promise.all(
      parts.map((fields, index) =>
        send(Object.fromEntries(fields), isEnded && (!isLate || index === parts.length - 1)),
      ),
    );
    const answer = answers.find(({ ok }) => !ok) ?? answers.at(-1);
    if (answer.status in ENDINGS) return end(ENDINGS[answer.status]);
    if (REFUSALS.has(answer.status)) return tell('unsaved');
    if (!answer.ok) throw new Error(`The service answered ${answer.status}`);
    confirmed = state;
    isEndConfirmed = isEnded;
    if ((await answer.json()).isFinished) return end('saved');
    tell('kept');
  } catch {
    if (isLeaving) return;
    tell('unsaved');
    schedule(RETRY_AFTER_MS);
  }
}

/**
 * Reports whether the service needs the suspend data of this report to find that a suspended attempt continues. The end
 * is then sent with the large fields, which might be lost. Any other end is sent with the small fields.
 */
function needsSuspendData(state) {
  const isPassed = state.status === 'passed' || state.success === 'passed';
  if (state.exit !== 'suspend' || isPassed || state.location !== '') return false;
  const isFailed = state.status === 'failed' || state.success === 'failed';
  const isKnown = (confirmed.suspendData ?? stored.suspendData ?? '') !== '';
  return !isKnown && (isFailed || state.raw !== '' || (state.scaled ?? '') !== '');
}

function splitBySize(fields) {
  const isLarge = ([, value]) => value.length > MAX_KEEPALIVE_BYTES / 12;
  const parts = [fields.filter((field) => !isLarge(field)), fields.filter(isLarge)];
  return parts.filter((part, index) => index === 0 || part.length > 0);
}

function send(fields, isEnded) {
  const body = JSON.stringify({
    ...fields,
    isPartial: true,
    isEnded,
    number,
    pageTime: Number(document.body.dataset.pageTime),
    ...(item !== '-1' && { item: Number(item) }),
  });
  const keepalive = new Blob([body]).size < MAX_KEEPALIVE_BYTES;
  const headers = { 'Content-Type': 'application/json' };
  return fetch(location.href, { method: 'POST', body, headers, keepalive, signal: leaving.signal });
}

function end(status) {
  isOver = true;
  tell(status);
}

function tell(status) {
  parent.postMessage(status, service);
}
