// Shows the status that the page of the package reports from the content host. Packages run beside that page, so a report
// only selects one of our texts.
const frame = document.querySelector('iframe');
const status = document.querySelector('[role=status]');
const { origin, saved, stale, expired, unsaved } = frame.dataset;
const TEXTS = new Map([
  ['kept', ''],
  ['saved', saved],
  ['stale', stale],
  ['expired', expired],
  ['unsaved', unsaved],
]);

addEventListener('message', (event) => {
  if (event.origin !== origin || event.source !== frame.contentWindow) return;
  const text = TEXTS.get(event.data);
  if (text !== undefined && text !== status.textContent) status.textContent = text;
});
